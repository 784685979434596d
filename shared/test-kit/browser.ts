import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../infra/test-runner/chromium.ts'

/**
 * Arguments for Chromium's fake camera, microphone and screen: a disc at a low frame rate to save CPU, and a beep per
 * second.
 */
export const FAKE_DEVICES = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream=device-count=1,fps=5',
  '--auto-select-desktop-capture-source=Entire screen',
]

/**
 * Disabled features of Chromium: Playwright's own list, because a second list replaces it, and the address bar pages of
 * each new window, which take a second of CPU each.
 */
const TURNED_OFF = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** A real headless Chromium, without background services, which contact foreign servers. */
export async function launchBrowser(more: string[] = []): Promise<Browser> {
  const executablePath = await findChromium(line => process.stderr.write(`${line}\n`))
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${TURNED_OFF.join(',')}`,
      ...more,
    ],
  })
}

/** A user with a separate browser profile and window. */
export class Seat {
  readonly name: string
  readonly page: Page
  readonly #context: BrowserContext
  /** Errors of the page; tests expect none at the end. */
  readonly complaints: string[] = []

  constructor(name: string, context: BrowserContext, page: Page) {
    this.name = name
    this.page = page
    this.#context = context
    page.on('pageerror', err => this.complaints.push(String(err)))
    page.on('console', message => {
      if (/Content Security Policy/.test(message.text())) this.complaints.push(message.text())
    })
  }

  static async take(browser: Browser, name: string, url: string): Promise<Seat> {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(45_000)
    return new Seat(name, context, await context.newPage())
  }

  async signUp(password: string) {
    await this.page.goto('/signup')
    await this.page.getByLabel('Username').fill(this.name)
    await this.page.locator('input[name=password]').fill(password)
    await this.page.locator('input[name=confirm_password]').fill(password)
    await this.page.locator('form .btn-primary').click()
    await this.composer.waitFor()
  }

  get composer() {
    return this.page.locator('[data-region=composer] textarea')
  }

  /** The row of a message. */
  row(text: string) {
    return this.page.locator('article', { hasText: text })
  }

  async say(text: string) {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  /** Opens the message's toolbar and presses a button. */
  async act(text: string, button: string) {
    await this.row(text).hover()
    await this.row(text).getByRole('button', { name: button, exact: true }).click()
  }

  /** Chooses from the message's menu. */
  async choose(text: string, item: string) {
    await this.act(text, 'More actions')
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  leave = () => this.#context.close()
}
