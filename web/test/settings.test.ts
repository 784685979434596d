import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'

const PAGES = [
  'Profile',
  'Appearance',
  'Notifications',
  'Calls and devices',
  'Keyboard',
  'Password',
  'Sessions',
  'Delete account',
] as const
const NEXT_PASSWORD = 'Another-bothy-2!'

/** ui.md 5.9: ada changes all of her settings; bob sees those that are visible to others. */
describe('settings', function () {
  this.timeout(120_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  let bob: BrowserUser
  /** ada in another browser. */
  let elsewhere: BrowserUser
  /** ada's second tab in the same browser. */
  let tab: Page

  before(async () => {
    stack = await startFullStack({ chromium: FAKE_DEVICES })
    ada = await stack.user('ada')
    bob = await stack.user('bob')
    elsewhere = await stack.user('ada')
    await Promise.all([ada.signUp(PASSWORD), bob.signUp(PASSWORD)])
    await ada.say('morning, all')
    await bob.row('morning, all').waitFor()
    tab = await ada.page.context().newPage()
    await tab.goto('/')
    await tab.locator('.sidebar-me').waitFor()
    await ada.page.bringToFront()
  })
  after(() => stack?.close())

  const dialog = (page = ada.page) => page.getByRole('dialog', { name: 'Settings' })
  const button = (name: string | RegExp, page = ada.page) =>
    dialog(page).getByRole('button', { name, exact: true })
  async function open(name: (typeof PAGES)[number], page = ada.page) {
    if (!(await dialog(page).isVisible()))
      await page.locator('.sidebar-me').getByRole('button', { name: 'Settings', exact: true }).click()
    await page.locator('.settings-nav').getByRole('button', { name, exact: true }).click()
    await dialog(page).getByRole('heading', { name, level: 2 }).waitFor()
  }
  const close = async () => {
    await dialog().locator('.settings-head').getByRole('button', { name: 'Close settings' }).click()
    await dialog().waitFor({ state: 'detached' })
  }
  const pick = (group: string, choice: string) =>
    dialog().getByRole('radiogroup', { name: group }).getByText(choice, { exact: true }).click()
  const onPage = (name: string, page = ada.page) => page.locator('html').getAttribute(`data-${name}`)
  const signIn = async (user: BrowserUser, password: string) => {
    await user.page.goto('/login')
    await user.page.getByLabel('Username').fill(user.name)
    await user.page.locator('input[name=password]').fill(password)
    await user.page.locator('form .button-primary').click()
  }

  it('pass axe on every page in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await ada.page.emulateMedia({ colorScheme })
      for (const name of PAGES) {
        await open(name)
        expect(await axeFindings(ada.page, ['.app']), `${name}, ${colorScheme}`).to.deep.equal([])
      }
    }
    await ada.page.emulateMedia({ colorScheme: 'light' })
    await close()
  })

  it('open, change and close by keyboard alone, and give the focus back', async () => {
    const { page } = ada
    const gear = page.locator('.sidebar-me').getByRole('button', { name: 'Settings', exact: true })
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await gear.focus()
    await page.keyboard.press('Enter')
    await dialog().waitFor()
    expect(await focused()).to.equal('Profile')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).to.equal('Appearance')
    await page.keyboard.press('Enter')
    const theme = dialog().getByRole('radio', { name: 'System' }).first()
    await theme.waitFor()
    // The tab list is a single Tab stop, followed by the close button and the page.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await theme.evaluate(radio => radio === document.activeElement)).to.equal(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await onPage('theme')).to.equal('dark')
    await page.keyboard.press('ArrowDown')
    expect(await onPage('theme')).to.equal('light')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await gear.evaluate(element => element === document.activeElement)).to.equal(true)
  })

  it('apply the theme in every tab at once, and before the first paint', async () => {
    await open('Appearance')
    await pick('Theme', 'Dark')
    expect(await onPage('theme')).to.equal('dark')
    await eventually(async () => expect(await onPage('theme', tab)).to.equal('dark'))
    await tab.addInitScript(() => {
      new MutationObserver(() => {
        const seen = globalThis as unknown as { themeAtBody?: string | undefined }
        if (document.body) seen.themeAtBody ??= document.documentElement.dataset['theme'] ?? 'none'
      }).observe(document, { childList: true, subtree: true })
    })
    await tab.reload()
    expect(await tab.evaluate(() => (globalThis as unknown as { themeAtBody: string }).themeAtBody)).to.equal(
      'dark',
    )
    const bar = () => tab.locator('meta[name=theme-color]').getAttribute('content')
    expect(await bar()).to.equal('#0d1213')
    await pick('Theme', 'System')
    // A background tab renders nothing, and follows the system when it becomes visible.
    await tab.bringToFront()
    await tab.emulateMedia({ colorScheme: 'light' })
    await eventually(async () => expect(await onPage('theme', tab)).to.equal('light'))
    await tab.emulateMedia({ colorScheme: 'dark' })
    await eventually(async () => expect(await onPage('theme', tab)).to.equal('dark'))
    expect(await bar()).to.equal('#0d1213')
    await ada.page.bringToFront()
  })

  it('change how messages look: size, density, clock', async () => {
    const row = ada.row('morning, all')
    const size = () =>
      row.locator('.message-text').evaluate(text => getComputedStyle(text as unknown as Element).fontSize)
    expect(await size()).to.equal('15px')
    await pick('Text size', 'Large')
    expect(await size()).to.equal('17px')
    await pick('Density', 'Compact')
    expect((await row.locator('.avatar').boundingBox())!.width).to.equal(20)
    await pick('Clock', '12 hour')
    await eventually(async () => expect(await row.locator('time').first().textContent()).to.match(/ [ap]m$/))
    await pick('Clock', '24 hour')
    await eventually(async () =>
      expect(await row.locator('time').first().textContent()).to.match(/^\d\d:\d\d$/),
    )
    await pick('Text size', 'Medium')
    await pick('Density', 'Comfortable')
  })

  it('change the language to German', async () => {
    await pick('Language', 'Deutsch')
    await ada.page.locator('html[lang=de] .sidebar-me').waitFor()
    await ada.page.locator('.sidebar-me').getByRole('button', { name: 'Einstellungen' }).click()
    await ada.page.getByRole('button', { name: 'Darstellung' }).click()
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await ada.page.getByRole('radiogroup', { name: 'Sprache' }).getByText('Wie im Browser').click()
    await ada.page.locator('html[lang=en] .sidebar-me').waitFor()
  })

  it('give a person a colour and a picture, which the others see', async () => {
    await open('Profile')
    await dialog().getByRole('textbox', { name: 'Hex colour' }).fill('#zzz')
    await dialog().getByText('Six digits from 0 to f').waitFor()
    await dialog().getByRole('radio', { name: 'Violet' }).check({ force: true })
    await dialog().getByRole('textbox', { name: 'Hex colour' }).fill('#AA3366')
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
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    await dialog().getByText('Picture not saved yet').waitFor()
    const crop = dialog().getByRole('application')
    await crop.focus()
    for (let i = 0; i < 8; i++) await ada.page.keyboard.press('Shift+ArrowRight')
    await dialog().getByRole('slider', { name: 'Zoom' }).fill('2')
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await button('Save changes').click()
    await dialog().getByText('Saved', { exact: true }).waitFor()
    await close()
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

  it('let the picture be dragged, too', async () => {
    await open('Profile')
    const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#008000' } })
      .png()
      .toBuffer()
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture })
    const crop = dialog().getByRole('application')
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

  it('ask before changes are lost', async () => {
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
    await dialog().getByText('Picture not saved yet').waitFor()
    await dialog().locator('.settings-nav').getByRole('button', { name: 'Keyboard' }).click()
    await ask.getByRole('button', { name: 'Discard' }).click()
    await dialog().getByRole('heading', { name: 'Keyboard', level: 2 }).waitFor()
  })

  it('turn single-letter shortcuts off', async () => {
    await dialog().getByRole('switch').click()
    await close()
    await ada.row('morning, all').focus()
    await ada.page.keyboard.press('r')
    expect(await ada.page.getByText('Replying to').count()).to.equal(0)
    await open('Keyboard')
    await dialog().getByRole('switch').click()
    await close()
    await ada.row('morning, all').focus()
    await ada.page.keyboard.press('r')
    await ada.page.getByText('Replying to').waitFor()
    await ada.page.keyboard.press('Escape')
  })

  it('remove the picture and the colour', async () => {
    await open('Profile')
    await button('Remove').click()
    await button('Use the default').click()
    await button('Save changes').click()
    await dialog().getByText('Saved', { exact: true }).waitFor()
    expect((await ada.page.request.get(`${stack.url}/avatar/ada`)).status()).to.equal(404)
    expect(await (await ada.page.request.get(`${stack.url}/settings`)).json()).to.deep.equal({
      name_color: null,
      avatar_file: null,
    })
    await close()
    expect(await ada.page.locator('.sidebar-me .avatar img').count()).to.equal(0)
  })

  it('mute from the bell, in every tab, until the stated time', async () => {
    const bell = (page: Page) =>
      page.locator('.sidebar-me').getByRole('button', { name: /^Muted|^Notifications on/ })
    await bell(ada.page).focus()
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('menuitem', { name: 'Mute for an hour' }).press('Enter')
    await ada.page
      .locator('.sidebar-me')
      .getByRole('button', { name: /^Muted until .*\d\d:\d\d$/ })
      .waitFor()
    await tab
      .locator('.sidebar-me')
      .getByText(/^Muted until/)
      .waitFor()
    await open('Notifications')
    await button('Turn on again').click()
    await button('Mute for an hour').waitFor()
    await tab.locator('.sidebar-me').getByRole('button', { name: 'Notifications on' }).waitFor()
  })

  it('ask the browser for notifications from a button only', async () => {
    await dialog().getByText('This browser has not been asked yet').waitFor()
    await ada.page.context().grantPermissions(['notifications'])
    await ada.page.evaluate(() => dispatchEvent(new Event('focus')))
    await dialog().getByText('Allowed by this browser').waitFor()
    await button('Send a test').waitFor()
    await dialog().getByRole('switch', { name: 'Desktop notifications' }).click()
    expect(await button('Send a test').count()).to.equal(0)
    await button(/^Every message in/).click()
    await dialog().getByRole('checkbox', { name: 'general' }).check()
    await button(/1 channel$/).waitFor()
    await button('Play a test').click()
  })

  it('show the camera and the level of the microphone', async () => {
    await open('Calls and devices')
    await button('Show the camera').click()
    const video = dialog().locator('video')
    await eventually(async () =>
      expect(
        await video.evaluate(element => (element as unknown as HTMLVideoElement).videoWidth),
      ).to.be.above(0),
    )
    await button('Test the microphone').click()
    const meter = dialog().getByRole('meter')
    // Chromium's own microphone beeps once a second.
    await eventually(async () => expect(Number(await meter.getAttribute('aria-valuenow'))).to.be.above(0))
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await button('Turn the camera off').click()
    await video.waitFor({ state: 'detached' })
  })

  it('fit a phone, one view at a time, and a page at 200 % zoom and at 320 pixels', async () => {
    const { page } = ada
    const fits = async (what: string) =>
      expect(
        await page.evaluate(() =>
          [
            document.documentElement,
            ...document.querySelectorAll('.settings, .settings-body, .settings-nav'),
          ].every(element => element.scrollWidth <= element.clientWidth),
        ),
        what,
      ).to.equal(true)
    await page.setViewportSize({ width: 390, height: 844 })
    await button('All settings').click()
    for (const name of PAGES) {
      await open(name)
      expect(await dialog().locator('.settings-nav').isVisible()).to.equal(false)
      await fits(name)
      await page.setViewportSize({ width: 320, height: 640 })
      await fits(`${name} at 320`)
      await page.setViewportSize({ width: 390, height: 844 })
      await button('All settings').click()
    }
    await page.setViewportSize({ width: 640, height: 400 })
    await open('Profile')
    await fits('zoomed')
    await dialog().getByRole('radio', { name: 'Appear offline' }).scrollIntoViewIfNeeded()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('list the signed-in browsers, and sign one out', async () => {
    await signIn(elsewhere, PASSWORD)
    await elsewhere.composer.waitFor()
    await open('Sessions')
    const rows = dialog().getByRole('listitem')
    await eventually(async () => expect(await rows.count()).to.equal(2))
    await dialog().getByText('This browser', { exact: true }).waitFor()
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await rows.getByRole('button').click()
    await eventually(async () => expect(await rows.count()).to.equal(1))
    await elsewhere.page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
  })

  it('change the password, which ends the other sessions and not this one', async () => {
    await signIn(elsewhere, PASSWORD)
    await elsewhere.composer.waitFor()
    await open('Password')
    const field = (name: string) => dialog().getByLabel(name, { exact: true })
    await button('Change password').click()
    await dialog().getByText('Type the current password.').waitFor()
    await field('Current password').fill('wrong')
    await field('New password').fill('short')
    await button('Change password').click()
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    expect(await field('New password').getAttribute('aria-invalid')).to.equal('true')
    await field('New password').fill(NEXT_PASSWORD)
    await field('New password again').fill(NEXT_PASSWORD)
    expect(await dialog().locator('.password-rule.is-met').count()).to.equal(5)
    await button('Change password').click()
    await dialog().getByText('That is not the current password.').waitFor()
    await field('Current password').fill(PASSWORD)
    await button('Change password').click()
    await dialog().getByText('Password changed. Other browsers are signed out.').waitFor()
    await elsewhere.page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    await close()
    await ada.say('still here')
    await bob.row('still here').waitFor()
    await signIn(elsewhere, PASSWORD)
    await elsewhere.page.getByText('Invalid username or password').waitFor()
    await signIn(elsewhere, NEXT_PASSWORD)
    await elsewhere.composer.waitFor()
  })

  it('delete the account, and confirm it', async () => {
    await ada.composer.fill('a draft that nobody else may find')
    await open('Delete account')
    await dialog().getByLabel('Your password').fill('wrong')
    await button('Delete my account').click()
    await dialog().getByText('That is not your password.').waitFor()
    await dialog().getByLabel('Your password').fill(NEXT_PASSWORD)
    await button('Delete my account').click()
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
