import { expect } from 'chai'
import sharp from 'sharp'
import { axeFindings } from '#shared/test-kit/axe.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { settingsOf, signIn } from './settings.fixture.ts'

const NEXT_PASSWORD = 'Another-bothy-2!'

/** ui.md 5.9: the settings of an account; bob sees those that are visible to others. */
describe('the settings dialog of an account', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let bob: BrowserUser
  /** ada in another browser. */
  let elsewhere: BrowserUser
  let settings: ReturnType<typeof settingsOf>

  before(async () => {
    stack = await startFullStack()
    ada = await stack.user('ada')
    bob = await stack.user('bob')
    elsewhere = await stack.user('ada')
    await Promise.all([ada.signUp(PASSWORD), bob.signUp(PASSWORD)])
    await ada.say('morning, all')
    await bob.row('morning, all').waitFor()
    settings = settingsOf(ada.page)
  })
  after(() => stack?.close())

  it('gives a person a colour and a picture, which the others see', async () => {
    await settings.open('Profile')
    await settings.dialog.getByRole('textbox', { name: 'Hex colour' }).fill('#zzz')
    await settings.dialog.getByText('Six digits from 0 to f').waitFor()
    await settings.dialog.getByRole('radio', { name: 'Violet' }).check({ force: true })
    await settings.dialog.getByRole('textbox', { name: 'Hex colour' }).fill('#AA3366')
    // Left half red, right half blue: moved by arrows until only red is in the circle.
    const half = { width: 300, height: 300, channels: 3 } as const
    const picture = await sharp({ create: { ...half, width: 600, background: '#d00000' } })
      .composite([
        {
          input: await sharp({ create: { ...half, background: '#0000d0' } })
            .png()
            .toBuffer(),
          left: 300,
          top: 0,
        },
      ])
      .png()
      .toBuffer()
    await settings.dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    await settings.dialog.getByText('Picture not saved yet').waitFor()
    const crop = settings.dialog.getByRole('application')
    await crop.focus()
    for (let i = 0; i < 8; i++) await ada.page.keyboard.press('Shift+ArrowRight')
    await settings.dialog.getByRole('slider', { name: 'Zoom' }).fill('2')
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await settings.button('Save changes').click()
    await settings.dialog.getByText('Saved', { exact: true }).waitFor()
    await settings.close()
    await ada.page.locator('.sidebar-me .avatar img').waitFor()

    const stored = Buffer.from(await (await ada.page.request.get(`${stack.url}/avatar/ada`)).body())
    const { width, height, format } = await sharp(stored).metadata()
    expect({ width, height, format }).to.deep.equal({ width: 128, height: 128, format: 'jpeg' })
    const { dominant } = await sharp(stored).stats()
    expect(dominant.r).to.be.greaterThan(150)
    expect(dominant.b).to.be.lessThan(60)

    await bob.page.reload()
    await bob.row('morning, all').locator('.avatar img').first().waitFor()
    const color = await bob
      .row('morning, all')
      .locator('.person-name')
      .first()
      .evaluate(name => (name as unknown as HTMLElement).style.getPropertyValue('--nc'))
    expect(color).to.equal('#aa3366')
  })

  it('lets the picture be dragged, too', async () => {
    await settings.open('Profile')
    const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#008000' } })
      .png()
      .toBuffer()
    await settings.dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    const crop = settings.dialog.getByRole('application')
    const looks = () =>
      crop.locator('canvas').evaluate(canvas => (canvas as unknown as HTMLCanvasElement).toDataURL())
    const before = await looks()
    const box = (await crop.boundingBox())!
    await ada.page.mouse.move(box.x + 90, box.y + 90)
    await ada.page.mouse.down()
    await ada.page.mouse.move(box.x + 190, box.y + 90, { steps: 5 })
    await ada.page.mouse.up()
    await eventually(async () => expect(await looks()).not.to.equal(before))
  })

  it('asks before changes are lost', async () => {
    const ask = ada.page.getByRole('dialog', { name: 'Leave without saving?' })
    await ada.page.keyboard.press('Escape')
    await ask.waitFor()
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    // Esc closes the question only, however often it is pressed.
    await ada.page.keyboard.press('Escape')
    await ask.waitFor({ state: 'detached' })
    await ada.page.keyboard.press('Escape')
    await ask.waitFor()
    await ask.getByRole('button', { name: 'Keep editing' }).click()
    await settings.dialog.getByText('Picture not saved yet').waitFor()
    await settings.dialog.locator('.settings-nav').getByRole('button', { name: 'Keyboard' }).click()
    await ask.getByRole('button', { name: 'Discard' }).click()
    await settings.dialog.getByRole('heading', { name: 'Keyboard', level: 2 }).waitFor()
  })

  it('removes the picture and the colour', async () => {
    await settings.open('Profile')
    await settings.button('Remove').click()
    await settings.button('Use the default').click()
    await settings.button('Save changes').click()
    await settings.dialog.getByText('Saved', { exact: true }).waitFor()
    expect((await ada.page.request.get(`${stack.url}/avatar/ada`)).status()).to.equal(404)
    expect(await (await ada.page.request.get(`${stack.url}/settings`)).json()).to.deep.equal({
      name_color: null,
      avatar_file: null,
    })
    await settings.close()
    expect(await ada.page.locator('.sidebar-me .avatar img').count()).to.equal(0)
  })

  it('takes over a name of another tab, but in no field in which somebody types', async () => {
    await settings.open('Profile')
    const field = (name: string) => settings.dialog.getByRole('textbox', { name, exact: true })
    const store = (data: object) => ada.page.request.patch(`${stack.url}/me`, { data })
    const stored = async () => {
      const { display_name, title } = await (await ada.page.request.get(`${stack.url}/me`)).json()
      return { display_name, title }
    }
    await field('Title').pressSequentially('Lead')
    await store({ display_name: 'Ada L.', title: 'Head' })
    await eventually(async () => expect(await field('Display name').inputValue()).to.equal('Ada L.'))
    expect(await field('Title').inputValue()).to.equal('Lead')
    await field('Title').press('Enter')
    await settings.dialog.getByText('Saved.', { exact: true }).waitFor()
    expect(await stored()).to.deep.equal({ display_name: 'Ada L.', title: 'Lead' })
    await store({ display_name: null, title: null })
    await eventually(async () => expect(await field('Title').inputValue()).to.equal(''))
    await settings.close()
  })

  it('lists the signed-in browsers, and signs one out', async () => {
    await signIn(elsewhere, PASSWORD)
    await elsewhere.composer.waitFor()
    await settings.open('Sessions')
    const rows = settings.dialog.getByRole('listitem')
    await eventually(async () => expect(await rows.count()).to.equal(2))
    await settings.dialog.getByText('This browser', { exact: true }).waitFor()
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await rows.getByRole('button').click()
    await eventually(async () => expect(await rows.count()).to.equal(1))
    await elsewhere.page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
  })

  it('changes the password, which ends the other sessions and not this one', async () => {
    await signIn(elsewhere, PASSWORD)
    await elsewhere.composer.waitFor()
    await settings.open('Password')
    const field = (name: string) => settings.dialog.getByLabel(name, { exact: true })
    await settings.button('Change password').click()
    await settings.dialog.getByText('Type the current password.').waitFor()
    await field('Current password').fill('wrong')
    await field('New password').fill('short')
    await settings.button('Change password').click()
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    expect(await field('New password').getAttribute('aria-invalid')).to.equal('true')
    await field('New password').fill(NEXT_PASSWORD)
    await field('New password again').fill(NEXT_PASSWORD)
    await eventually(async () =>
      expect(await settings.dialog.locator('.password-rule.is-met').count()).to.equal(5),
    )
    await settings.button('Change password').click()
    await settings.dialog.getByText('That is not the current password.').waitFor()
    await field('Current password').fill(PASSWORD)
    await settings.button('Change password').click()
    await settings.dialog
      .getByText('Password changed. Other browsers are signed out, and your tokens have ended.')
      .waitFor()
    await elsewhere.page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    await settings.close()
    await ada.say('still here')
    await bob.row('still here').waitFor()
    await signIn(elsewhere, PASSWORD)
    await elsewhere.page.getByText('Invalid username or password').waitFor()
    await signIn(elsewhere, NEXT_PASSWORD)
    await elsewhere.composer.waitFor()
  })

  it('deletes the account, and confirms it', async () => {
    await ada.composer.fill('a draft that nobody else may find')
    await settings.open('Delete account')
    await settings.dialog.getByLabel('Your password').fill('wrong')
    await settings.button('Delete my account').click()
    await settings.dialog.getByText('That is not your password.').waitFor()
    await settings.dialog.getByLabel('Your password').fill(NEXT_PASSWORD)
    await settings.button('Delete my account').click()
    await ada.page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
    expect(await ada.page.locator('.app').count()).to.equal(0)
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await elsewhere.page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    const kept = await ada.page.evaluate(() =>
      Object.keys(localStorage).filter(key => key.split(' ').includes('ada')),
    )
    expect(kept).to.deep.equal([])
    await ada.page.getByRole('link', { name: 'To the sign-in page' }).click()
    await ada.page.waitForURL(/\/login$/)
    await bob.page.reload()
    await bob.row('morning, all').getByText('Deleted User').waitFor()
    for (const user of [ada, bob, elsewhere]) expect(user.complaints).to.deep.equal([])
  })
})
