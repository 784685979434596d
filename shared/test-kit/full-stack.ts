import type { Browser } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { BrowserUser } from './browser-user.ts'
import { Person } from './person.ts'
import { type RunningService, startFrontDoor, startService } from './processes.ts'
import { type TestBacking, testBacking } from './stores.ts'

/** The whole product behind a front door, with a browser: the environment of a Chromium test file. */
export interface FullStack {
  backing: TestBacking
  /** Api processes behind the front door; tests may add some, which are stopped with the others. */
  api: RunningService[]
  events: RunningService[]
  url: string
  browser: Browser
  /** Opens a browser page, not signed in. `url`: another address of the front door. */
  user(name: string, url?: string): Promise<BrowserUser>
  /** Signs up a user without a browser. */
  person(name: string): Promise<Person>
  /**
   * Opens the client in a browser page with the session of this person; a name is signed up over HTTP first.
   * `initScript` runs in the pages of this user before their own scripts.
   */
  signedIn(who: string | Person, initScript?: () => void): Promise<SignedIn>
  close(): Promise<void>
}

/** A browser user, with the same session over HTTP. */
export type SignedIn = BrowserUser & { http: Person }

interface Wanted {
  apis?: number
  gateways?: number
  previews?: boolean
  settings?: object
  /** Further variables of the processes. */
  env?: NodeJS.ProcessEnv
  /** Further arguments of Chromium. */
  chromium?: string[]
}

export async function startFullStack(wanted: Wanted = {}): Promise<FullStack> {
  const { apis = 1, gateways = 1, previews = false, settings = {}, env = {}, chromium = [] } = wanted
  const backing = await testBacking()
  backing.settings({ rate_limit_enabled: false, ...settings })
  const start = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => startService(name, { ...backing.env, ...env })))
  const [api, events, previewWorkers, pictureWorkers, browser] = await Promise.all([
    start('api', apis),
    start('events', gateways),
    start('previews', previews ? 1 : 0),
    start('previews-pictures', previews ? 1 : 0),
    launchBrowser(chromium),
  ])
  const door = await startFrontDoor(api, events)
  const person = (name: string) => new Person(name, door.url).signUp()
  return {
    backing,
    api,
    events,
    url: door.url,
    browser,
    user: (name, url = door.url) => BrowserUser.take(browser, name, url),
    person,
    async signedIn(who, initScript) {
      const http = typeof who === 'string' ? await person(who) : who
      const user = await BrowserUser.take(browser, http.name, door.url)
      if (initScript) await user.page.context().addInitScript(initScript)
      await user.openAs(http)
      return Object.assign(user, { http })
    },
    async close() {
      await browser.close()
      await door.close()
      await Promise.all(
        [...api, ...events, ...previewWorkers, ...pictureWorkers].map(service => service.stop()),
      )
      await backing.drop()
    },
  }
}
