import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { axeFindings, expectAccessible } from '#shared/test-kit/axe.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, type SignedIn, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { focusIsOn, gone, shown } from '#shared/test-kit/visible.ts'

describe('every error is a sentence that names the thing and the next step', function () {
  this.timeout(240_000)
  let stack: FullStack
  let ada: SignedIn
  let page: Page
  let picture: Buffer

  before(async () => {
    stack = await startFullStack({
      settings: { channels: ['general', 'design'], max_login_attempts: 1, file_types: 'images' },
    })
    await stack.person('bob')
    ada = await stack.signedIn('ada')
    page = ada.page
    const colour = { width: 320, height: 240, channels: 3, background: 'teal' } as const
    picture = await sharp({ create: colour }).png().toBuffer()
    for (let i = 0; i < 30; i++) await ada.http.send('general', `line ${i}`)
  })
  after(() => stack?.close())

  /** With the type that a browser knows by the name. */
  const attach = (name: string, buffer: Buffer, on = page) =>
    on
      .locator('[data-region=composer] input[type=file]')
      .setInputFiles([
        { name, mimeType: name.endsWith('.png') ? 'image/png' : 'application/octet-stream', buffer },
      ])
  const tray = () => page.locator('.attachment-tray')
  const toast = () => page.locator('.toast')

  async function expectApart(one: Locator, other: Locator) {
    const [a, b] = [await one.boundingBox(), await other.boundingBox()]
    expect(a, 'the first box').to.not.equal(null)
    expect(b, 'the second box').to.not.equal(null)
    const overlap = a!.y < b!.y + b!.height && b!.y < a!.y + a!.height
    expect(overlap, `${JSON.stringify(a)} over ${JSON.stringify(b)}`).to.equal(false)
  }

  for (const [device, size] of [
    ['a desktop', { width: 1280, height: 800 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const) {
    it(`a toast lies on neither the tray nor the last message on ${device}, and names the file`, async () => {
      await page.setViewportSize(size)
      await page.goto('/#/c/general')
      await shown(ada.row('line 29'))
      await attach('harbour.png', picture)
      await shown(tray().getByText('harbour.png'))
      await attach('minutes.pdf', Buffer.from('%PDF'))
      await shown(toast().getByText('Only images can be sent here: minutes.pdf cannot.'))
      await toast().evaluate(element => Promise.all(element.getAnimations().map(one => one.finished)))
      await expectApart(toast(), tray())
      await expectApart(toast(), ada.row('line 29'))
      await expectApart(toast(), ada.composer)
      await page.getByRole('button', { name: 'Remove harbour.png' }).click()
    })
  }

  it('a file that is no picture is refused before it is sent', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await attach('fake.png', Buffer.from('not a picture'))
    await shown(toast().getByText('fake.png cannot be opened as a picture.'))
    await gone(tray())
  })

  it('a conversation with an unknown person says so, without calls and without a row in the sidebar', async () => {
    await page.goto('/#/d/ada,ghost')
    await shown(page.getByText('There is no account named ghost'))
    await expectAccessible(page)
    expect(await page.getByRole('button', { name: /call|screen/i }).count()).to.equal(0)
    expect(await ada.composer.count()).to.equal(0)
    expect(await ada.sidebarRow('ghost').count()).to.equal(0)
    await page.locator('.app-main').getByRole('button', { name: 'New message' }).click()
    await shown(ada.dialog)
    await page.keyboard.press('Escape')
  })

  it('an unknown private or public channel says so, without people', async () => {
    await page.goto('/#/p/999')
    await shown(page.getByText('This private channel is not open to you'))
    expect(await page.getByText(/1 person/).count()).to.equal(0)
    expect(await page.getByRole('button', { name: /call|screen/i }).count()).to.equal(0)
    await page.goto('/#/c/nothing')
    await shown(page.getByText('There is no channel named nothing'))
  })

  it('a channel not yet seen says that it is not on this device, and loads when the network is back', async () => {
    await page.goto('/#/c/general')
    await shown(ada.row('line 29'))
    await page.context().setOffline(true)
    await page.locator('nav a.sidebar-row', { hasText: 'design' }).click()
    await shown(page.getByText('#design is not on this device yet'))
    await page.context().setOffline(false)
    await gone(page.getByText('#design is not on this device yet'))
    await shown(ada.composer)
  })

  it('an address that does not exist is a page with a way back', async () => {
    const response = await page.goto('/nonsense')
    expect(response?.status()).to.equal(404)
    await shown(page.getByRole('heading', { name: 'There is nothing at this address' }))
    expect(await axeFindings(page)).to.deep.equal([])
    await page.getByRole('link', { name: 'Back to the chat' }).click()
    await shown(ada.composer)
  })

  it('sign-up says each unmet rule once, in red', async () => {
    const { page: form } = await stack.user('newcomer')
    await form.goto('/signup')
    await form.getByLabel('Username').fill('jürgen')
    await form.locator('input[name=password]').fill('short')
    await form.locator('form .button-primary').click()
    const visible = async () =>
      (await form.locator('.form-problems').allInnerTexts()).filter(text => text.trim() !== '')
    expect(await visible()).to.deep.equal(['The two passwords are not the same.'])
    expect(await form.locator('.password-rule.is-unmet').count()).to.equal(4)
    expect(await form.locator('#username-hint.is-unmet').count()).to.equal(1)
    expect(await axeFindings(form)).to.deep.equal([])
  })

  it('after a wrong password the focus is in the password field, which the notice describes', async () => {
    const { page: form } = await stack.user('ada')
    const logIn = async (password: string) => {
      await form.goto('/login')
      await form.getByLabel('Username').fill('ada')
      await form.locator('input[name=password]').fill(password)
      await form.locator('form .button-primary').click()
    }
    await logIn('wrong')
    await shown(form.getByText('Invalid username or password.'))
    await focusIsOn(form, '#password')
    await eventually(async () =>
      expect(await form.locator('#password').getAttribute('aria-describedby')).to.equal('form-notice'),
    )
    expect(await axeFindings(form)).to.deep.equal([])
    await logIn(PASSWORD)
    await shown(form.getByText(/Too many failed attempts/))
    await form.getByRole('link', { name: 'Get in with a reset link instead' }).click()
    await shown(form.getByRole('heading', { name: 'Forgot your password?' }))
  })
})
