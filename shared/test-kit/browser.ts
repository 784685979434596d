import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../infra/local/chromium.ts'

/** Arguments for Chromium's own camera, microphone and screen: a disc that turns, slowly to spare the machine, and a beep a second. */
export const FAKE_DEVICES = [
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream=device-count=1,fps=5',
  '--auto-select-desktop-capture-source=Entire screen',
]

/**
 * Of Chromium: what Playwright turns off, because a second list replaces its own, and the pages that Chromium opens for its
 * address line with every new window, which take a second of a processor each.
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

/** A real Chromium without a window. Without its background services, which look for servers that are not ours. */
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

/** A person at a screen of their own, with a browser profile of their own. */
export class Seat {
  readonly name: string
  readonly page: Page
  readonly #context: BrowserContext
  /** What the page complained about: empty at the end of a good test. */
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

  /** The message's row, wherever it stands. */
  row(text: string) {
    return this.page.locator('article', { hasText: text })
  }

  async say(text: string) {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  /** Opens the message's toolbar and presses one of its buttons. */
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
