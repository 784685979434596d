import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Person } from './person.ts'

/** A user with a separate browser profile and window. */
export class BrowserUser {
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

  static async take(browser: Browser, name: string, url: string): Promise<BrowserUser> {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(45_000)
    return new BrowserUser(name, context, await context.newPage())
  }

  async signUp(password: string) {
    await this.page.goto('/signup')
    await this.page.getByLabel('Username').fill(this.name)
    await this.page.locator('input[name=password]').fill(password)
    await this.page.locator('input[name=confirm_password]').fill(password)
    await this.page.locator('form .button-primary').click()
    await this.#isIn()
  }

  /** Opens the client with the session of a person who signed up over HTTP. */
  async openAs(person: Person) {
    const [name, value] = person.cookie.split('=') as [string, string]
    await this.#context.addCookies([{ name, value, url: person.at, httpOnly: true, sameSite: 'Lax' }])
    await this.page.goto('/')
    await this.#isIn()
  }

  /** Waits for the client; a failure names the page that is shown instead. */
  async #isIn() {
    // The first screen of several browsers at once, which takes long on two cores.
    await this.composer.waitFor({ timeout: 90_000 }).catch(async (err: Error) => {
      const shown = await this.page.locator('body').ariaSnapshot()
      throw new Error(`${this.name} is at ${this.page.url()}: ${shown.slice(-1_500)}`, { cause: err })
    })
  }

  get composer() {
    return this.page.locator('[data-region=composer] textarea')
  }

  get heading() {
    return this.page.locator('[data-region=header] h1')
  }

  get panel() {
    return this.page.locator('[data-region=panel]')
  }

  get dialog() {
    return this.page.getByRole('dialog')
  }

  button(name: string) {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** The row of a conversation in the sidebar. */
  sidebarRow(name: string) {
    return this.page.locator('nav a.sidebar-row', { hasText: name })
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
