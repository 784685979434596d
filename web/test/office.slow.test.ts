import { expect } from 'chai'
import jsQR from 'jsqr'
import pg from 'pg'
import sharp from 'sharp'
import { makeClaimCode } from '#shared/ownership/claim-codes.ts'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('a new office in the browser (Office)', function () {
  this.timeout(300_000)
  let stack: FullStack
  let owner: BrowserUser
  let invitation: string

  before(async () => {
    stack = await startFullStack({
      settings: { channels: ['general', 'design'], first_account_is_owner: false, signup_mode: 'invite' },
      env: { FRONT_DOOR_HOST: 'office.localhost' },
    })
    owner = await stack.user('ines')
  })
  after(() => stack?.close())

  /** A profile with the window of a phone. */
  async function onPhone(name: string) {
    const context = await stack.browser.newContext({
      baseURL: stack.url,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    context.setDefaultTimeout(45_000)
    return new BrowserUser(name, context, await context.newPage())
  }
  async function fillIn(person: BrowserUser, button: string, username = person.name) {
    await person.page.getByLabel(/^(Your u|U)sername$/).fill(username)
    await person.page.locator('input[name=password]').fill(PASSWORD)
    await gone(person.page.locator('input[name=confirm_password]'))
    await person.page.getByRole('button', { name: button }).click()
  }
  const openMenu = (person: BrowserUser, item: string) =>
    person.page
      .locator('.sidebar-me-person')
      .click()
      .then(() => person.page.getByRole('menuitem', { name: item }).click())

  it('is refused to strangers, and claimed by the link that the server prints', async () => {
    await owner.page.goto('/signup')
    await shown(owner.page.getByText('You need an invitation'))
    const db = new pg.Pool({ connectionString: stack.backing.env.DATABASE_URL })
    const code = await makeClaimCode(db)
    await db.end()
    await owner.page.goto(`/claim/${code}`)
    await focusIsOn(owner.page, '#workspace_name')
    await owner.page.keyboard.type('Harbour')
    await shown(owner.page.getByText('You become the owner. No email, no account anywhere else'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await owner.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await eventually(async () => expect(await axeFindings(owner.page), colorScheme).to.deep.equal([]))
    }
    await fillIn(owner, 'Open the workspace')
    await owner.composer.waitFor()
    await owner.page.goto(`/claim/${code}`)
    await shown(owner.page.getByText('This link is not valid any more').first())
    await owner.page.goto('/')
    await owner.say('the quay is open')
    await shown(owner.row('the quay is open'))
  })

  it('is joined on a phone by the QR code of an invitation, with a free name in place of a taken one', async () => {
    await openMenu(owner, 'Invite people')
    await shown(owner.page.getByRole('heading', { name: 'Invite people to Harbour' }))
    await owner.dialog.getByRole('button', { name: 'Create link' }).click()
    const code = owner.dialog.locator('img[src$="qr.svg"]').first()
    await shown(code)
    const { data, info } = await sharp(await code.screenshot())
      .resize(704)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    invitation = jsQR.default(new Uint8ClampedArray(data), info.width, info.height)!.data
    expect(invitation).to.equal(await owner.dialog.locator('code').first().textContent())
    await owner.dialog.getByRole('button', { name: 'Done' }).click()

    const tom = await onPhone('tom')
    await tom.page.goto(invitation)
    await shown(tom.page.getByText('ines invites you to Harbour.'))
    await fillIn(tom, 'Join', 'Ines')
    await shown(tom.page.getByText('That name is taken.'))
    await shown(tom.page.getByText('ines invites you to Harbour.'))
    for (const colorScheme of ['light', 'dark'] as const) {
      await tom.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await eventually(async () => expect(await axeFindings(tom.page), colorScheme).to.deep.equal([]))
    }
    await tom.button('Ines2').tap()
    expect(await tom.page.getByLabel('Username').inputValue()).to.equal('Ines2')
    await fillIn(tom, 'Join')
    await shown(tom.row('the quay is open'))
    await tom.composer.fill('hello from the tram')
    await tom.button('Send').tap()
    await shown(owner.row('hello from the tram'))
    expect(tom.complaints).to.deep.equal([])
    await tom.leave()
  })

  it('shows a guest the channels of the invitation alone, and closes a channel at once when they are removed', async () => {
    await openMenu(owner, 'Invite people')
    await owner.dialog.getByLabel('They join as').selectOption('guest')
    await owner.dialog.getByRole('button', { name: 'Create link' }).click()
    await shown(owner.dialog.getByText('guests read only the channels they are invited to'))
    await owner.dialog.getByLabel('design').check()
    await owner.dialog.getByRole('button', { name: 'Create link' }).click()
    await shown(owner.dialog.locator('code'))
    const link = (await owner.dialog.locator('code').first().textContent())!
    await owner.dialog.getByRole('button', { name: 'Done' }).click()

    const gail = await stack.user('gail')
    await gail.page.goto(new URL(link).pathname)
    await fillIn(gail, 'Join')
    await shown(gail.heading.filter({ hasText: 'design' }))
    expect(await gail.sidebarRow('general').count()).to.equal(0)
    expect(await gail.button('New message').count()).to.be.above(0)
    expect(await gail.button('New private channel').count()).to.equal(0)
    await gail.say('the drawings are ready')
    await owner.sidebarRow('design').click()
    await shown(owner.row('the drawings are ready'))
    await gail.page.goto('/#/c/general')
    await gone(gail.row('the quay is open'))
    await gail.page.goto('/#/c/design')
    await shown(gail.row('the drawings are ready'))

    await removeFromDesign('gail')
    await shown(gail.page.getByText('There is no channel named design'))
    await gone(gail.row('the drawings are ready'))
    expect(gail.complaints).to.deep.equal([])
  })

  async function removeFromDesign(username: string) {
    const status = await owner.page.evaluate(
      `fetch('/public_channels/design/remove', {
         method: 'POST',
         headers: { 'Content-Type': 'application/json' },
         body: JSON.stringify({ username: ${JSON.stringify(username)} }),
       }).then(response => response.status)`,
    )
    expect(status).to.equal(204)
  }

  it('reports no errors of the owner’s page', () => {
    expect(owner.complaints).to.deep.equal([])
  })
})
