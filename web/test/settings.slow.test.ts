import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { axeFindings } from '#shared/test-kit/axe.ts'
import { FAKE_DEVICES } from '#shared/test-kit/browser.ts'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FullStack, startFullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { PAGES, settingsOf } from './settings.fixture.ts'

/** ui.md 5.9: the settings of a device, and the dialog itself. */
describe('settings', function () {
  this.timeout(240_000)
  this.bail(true)
  let stack: FullStack
  let ada: BrowserUser
  /** ada's second tab in the same browser. */
  let tab: Page
  let settings: ReturnType<typeof settingsOf>

  before(async () => {
    stack = await startFullStack({ chromium: FAKE_DEVICES })
    ada = await stack.user('ada')
    await ada.signUp(PASSWORD)
    await ada.say('morning, all')
    tab = await ada.page.context().newPage()
    await tab.goto('/')
    await tab.locator('.sidebar-me').waitFor()
    await ada.page.bringToFront()
    settings = settingsOf(ada.page)
  })
  after(() => stack?.close())

  const onPage = (name: string, page = ada.page) => page.locator('html').getAttribute(`data-${name}`)

  it('pass axe on every page in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await ada.page.emulateMedia({ colorScheme })
      for (const name of PAGES) {
        await settings.open(name)
        expect(await axeFindings(ada.page, ['.app']), `${name}, ${colorScheme}`).to.deep.equal([])
      }
    }
    await ada.page.emulateMedia({ colorScheme: 'light' })
    await settings.close()
  })

  it('open, change and close by keyboard alone, and give the focus back', async () => {
    const { page } = ada
    const gear = page.locator('.sidebar-me').getByRole('button', { name: 'Settings', exact: true })
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await gear.focus()
    await page.keyboard.press('Enter')
    await settings.dialog.waitFor()
    expect(await focused()).to.equal('Profile')
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await focused()).to.equal('Appearance'))
    await page.keyboard.press('Enter')
    const theme = settings.dialog.getByRole('radio', { name: 'System' }).first()
    await theme.waitFor()
    // The tab list is a single Tab stop, followed by the close button and the page.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await eventually(async () =>
      expect(await theme.evaluate(radio => radio === document.activeElement)).to.equal(true),
    )
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await onPage('theme')).to.equal('dark'))
    await page.keyboard.press('ArrowDown')
    await eventually(async () => expect(await onPage('theme')).to.equal('light'))
    await page.keyboard.press('Escape')
    await settings.dialog.waitFor({ state: 'detached' })
    expect(await gear.evaluate(element => element === document.activeElement)).to.equal(true)
  })

  it('apply the theme in every tab at once, and before the first paint', async () => {
    await settings.open('Appearance')
    await settings.pick('Theme', 'Dark')
    await eventually(async () => expect(await onPage('theme')).to.equal('dark'))
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
    await settings.pick('Theme', 'System')
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
    await settings.pick('Text size', 'Large')
    await eventually(async () => expect(await size()).to.equal('17px'))
    await settings.pick('Density', 'Compact')
    expect((await row.locator('.avatar').boundingBox())!.width).to.equal(20)
    await settings.pick('Clock', '12 hour')
    await eventually(async () => expect(await row.locator('time').first().textContent()).to.match(/ [ap]m$/))
    await settings.pick('Clock', '24 hour')
    await eventually(async () =>
      expect(await row.locator('time').first().textContent()).to.match(/^\d\d:\d\d$/),
    )
    await settings.pick('Text size', 'Medium')
    await settings.pick('Density', 'Comfortable')
  })

  it('change the language to German', async () => {
    await settings.pick('Language', 'Deutsch')
    await ada.page.locator('html[lang=de] .sidebar-me').waitFor()
    // The settings have an address, so they are open again after the reload.
    await ada.page.getByRole('dialog', { name: 'Einstellungen' }).waitFor()
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await ada.page.getByRole('radiogroup', { name: 'Sprache' }).getByText('Wie im Browser').click()
    await ada.page.locator('html[lang=en] .sidebar-me').waitFor()
    await settings.dialog.waitFor()
  })

  it('turn single-letter shortcuts off', async () => {
    await settings.open('Keyboard')
    await settings.dialog.getByRole('switch').click()
    await settings.close()
    await ada.row('morning, all').focus()
    await ada.page.keyboard.press('r')
    expect(await ada.page.getByText('Replying to').count()).to.equal(0)
    await settings.open('Keyboard')
    await settings.dialog.getByRole('switch').click()
    await settings.close()
    await ada.row('morning, all').focus()
    await ada.page.keyboard.press('r')
    await ada.page.getByText('Replying to').waitFor()
    await ada.page.keyboard.press('Escape')
  })

  it('mute from the bell, in every tab, until the stated time', async () => {
    const bell = (page: Page) =>
      page.locator('.sidebar-me').getByRole('button', { name: /^Muted|^Notifications on/ })
    await bell(ada.page).focus()
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('menuitem', { name: /^1 hour/ }).press('Enter')
    await ada.page
      .locator('.sidebar-me')
      .getByRole('button', { name: /^Muted until .*\d\d:\d\d$/ })
      .waitFor()
    await tab
      .locator('.sidebar-me')
      .getByText(/^Muted until/)
      .waitFor()
    await settings.open('Notifications')
    await settings.button('Turn on again').click()
    await settings.button('Mute for an hour').waitFor()
    await tab.locator('.sidebar-me').getByRole('button', { name: 'Notifications on' }).waitFor()
  })

  it('pause notifications from the menu of the own status, by keys alone', async () => {
    const { page } = ada
    await settings.close()
    await page.locator('.sidebar-me-person').focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu', { name: 'Status' })
    await menu.getByText('Live: changes arrive at once').waitFor()
    await menu.getByRole('menuitem', { name: 'Pause notifications' }).focus()
    await page.keyboard.press('ArrowRight')
    await menu.getByRole('menuitem', { name: /^2 hours .*\d\d:\d\d/ }).focus()
    await page.keyboard.press('Enter')
    await tab
      .locator('.sidebar-me')
      .getByText(/^Muted until/)
      .waitFor()
    await page.locator('.sidebar-me-person').press('Enter')
    await menu.getByRole('menuitem', { name: /^Pause notifications Muted until/ }).press('Enter')
    await menu.getByRole('menuitem', { name: 'Turn on again' }).press('Enter')
    await tab.locator('.sidebar-me').getByRole('button', { name: 'Notifications on' }).waitFor()
    await page.locator('.sidebar-me-person').press('Enter')
    await menu.getByRole('menuitem', { name: /^Keyboard shortcuts/ }).press('Enter')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await settings.open('Notifications')
  })

  it('ask the browser for notifications from a button only', async () => {
    await settings.dialog.getByText('This browser has not been asked yet').waitFor()
    const pretend = (isSecure: boolean) =>
      ada.page.evaluate(value => {
        Object.defineProperty(globalThis, 'isSecureContext', { value, configurable: true })
        dispatchEvent(new Event('focus'))
      }, isSecure)
    await pretend(false)
    await settings.dialog.getByText('Browsers notify only over https').waitFor()
    const link = settings.dialog.getByRole('link', { name: 'What you can do' })
    expect(await link.getAttribute('href')).to.equal('/trust')
    await pretend(true)
    await ada.page.context().grantPermissions(['notifications'])
    await ada.page.evaluate(() => dispatchEvent(new Event('focus')))
    await settings.dialog.getByText('Allowed by this browser').waitFor()
    await settings.button('Send a test').waitFor()
    await settings.dialog.getByRole('switch', { name: 'Desktop notifications' }).click()
    await eventually(async () => expect(await settings.button('Send a test').count()).to.equal(0))
    await settings.button(/^Every message in/).click()
    await settings.dialog.getByRole('checkbox', { name: 'general' }).check()
    await settings.button(/1 channel$/).waitFor()
    await settings.button('Play a test').click()
  })

  it('show the camera and the level of the microphone', async () => {
    await settings.open('Calls and devices')
    await settings.button('Show the camera').click()
    const video = settings.dialog.locator('video')
    await eventually(async () =>
      expect(
        await video.evaluate(element => (element as unknown as HTMLVideoElement).videoWidth),
      ).to.be.above(0),
    )
    await settings.button('Test the microphone').click()
    const meter = settings.dialog.getByRole('meter')
    // Chromium's own microphone beeps once a second.
    await eventually(async () => expect(Number(await meter.getAttribute('aria-valuenow'))).to.be.above(0))
    expect(await axeFindings(ada.page, ['.app'])).to.deep.equal([])
    await settings.button('Turn the camera off').click()
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
    await settings.button('All settings').click()
    for (const name of PAGES) {
      await settings.open(name)
      expect(await settings.dialog.locator('.settings-nav').isVisible()).to.equal(false)
      await fits(name)
      await page.setViewportSize({ width: 320, height: 640 })
      await fits(`${name} at 320`)
      await page.setViewportSize({ width: 390, height: 844 })
      await settings.button('All settings').click()
    }
    await page.setViewportSize({ width: 640, height: 400 })
    await settings.open('Profile')
    await fits('zoomed')
    await settings.dialog.getByRole('radio', { name: 'Appear offline' }).scrollIntoViewIfNeeded()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('cause no error in the page', () => {
    expect(ada.complaints).to.deep.equal([])
  })
})
