import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { BrowserUser } from '#shared/test-kit/browser-user.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { FullStack } from '#shared/test-kit/full-stack.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'

/** Visible and audible effects recorded in the page. */
export interface Played {
  asked: number
  notes: number
  popups: { title: string; calls: boolean }[]
  place: 'front' | 'back'
  isCrashing: boolean
  /** Duration of showing a notification, and whether notifications were queried during it. */
  showsFor: number
  isShowing: boolean
  askedTooEarly: boolean
}

/** A user whose tabs record effects and simulate visibility: these browsers have no windows. */
export async function recordedUser(stack: FullStack, name: string, more?: () => void): Promise<BrowserUser> {
  const user = await stack.user(name)
  await user.page.context().addInitScript(play)
  if (more) await user.page.context().addInitScript(more)
  await user.signUp(PASSWORD)
  return user
}

export async function anotherTab(of: BrowserUser, hash: string) {
  const page = await of.page.context().newPage()
  page.on('pageerror', err => of.complaints.push(String(err)))
  await page.goto(`/${hash}`)
  await page.locator('[data-region=composer] textarea').waitFor()
  return page
}

/** Sends a message and returns its id. */
export async function write(by: BrowserUser, channel: string, text: string) {
  const response = await by.page.request.post(`/send/${channel}`, { form: { text } })
  expect(response.status()).to.equal(200)
  return Number(response.headers()['x-message-id'])
}

export const readIn = async (page: Page, channel: string) =>
  expect((await page.request.post(`/mark_read/${channel}`)).ok()).to.equal(true)
export const played = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { played: Played }).played)
export const isIn = (page: Page, place: Played['place']) => page.evaluate(putIn, place)
export const shown = (page: Page) => page.evaluate(notificationsNow)
export const nothing = (page: Page) => eventually(async () => expect(await shown(page)).to.deep.equal([]))

/** Runs in the page before its scripts: records visible and audible effects. */
function play() {
  const played: Played = {
    asked: 0,
    notes: 0,
    popups: [],
    place: 'front',
    isCrashing: false,
    showsFor: 0,
    isShowing: false,
    askedTooEarly: false,
  }
  const scope = globalThis as unknown as Record<string, unknown>
  scope['played'] = played
  Object.defineProperties(document, {
    hidden: { get: () => played.place === 'back' },
    visibilityState: { get: () => (played.place === 'back' ? 'hidden' : 'visible') },
    hasFocus: { value: () => played.place === 'front' },
  })
  addEventListener('pagehide', event => played.isCrashing && event.stopImmediatePropagation())
  Notification.requestPermission = async () => {
    played.asked++
    return Notification.permission
  }
  // Chromium loses a notification that is queried while it is being shown, and the test queries all the time.
  const { locks } = navigator
  const inTurn = <T>(job: () => Promise<T>) => locks.request('played', job) as Promise<T>
  const { showNotification, getNotifications } = ServiceWorkerRegistration.prototype
  scope['notificationsNow'] = async () => {
    const worker = await navigator.serviceWorker.ready
    const all = await inTurn(() => getNotifications.call(worker))
    return all.map(({ title, body, tag }) => ({ title, body, tag }))
  }
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    played.popups.push({ title, calls: (options as { renotify: boolean }).renotify })
    played.isShowing = true
    return inTurn(async () => {
      await new Promise(resolve => setTimeout(resolve, played.showsFor))
      await showNotification.call(this, title, options)
      played.isShowing = false
    })
  }
  ServiceWorkerRegistration.prototype.getNotifications = function (filter) {
    if (played.isShowing) played.askedTooEarly = true
    return inTurn(() => getNotifications.call(this, filter))
  }
  const { start } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (when) {
    played.notes++
    return start.call(this, when)
  }
}

function putIn(place: Played['place']) {
  ;(globalThis as unknown as { played: Played }).played.place = place
  document.dispatchEvent(new Event('visibilitychange'))
  dispatchEvent(new Event(place === 'front' ? 'focus' : 'blur'))
}

export function takePlayed(page: Page): Promise<Played> {
  return page.evaluate(() => {
    const { played } = globalThis as unknown as { played: Played }
    const taken = { ...played }
    played.popups = []
    played.notes = 0
    return taken
  })
}

/** Counts the tabs that report presence or wait for the lock. */
export async function tabsThatNotify() {
  const { held = [], pending = [] } = await navigator.locks.query()
  return [...held, ...pending].filter(({ name }) => name === 'bothy notify ada').length
}

/** Long enough for the read markers of another tab to arrive meanwhile. */
export function showSlowly() {
  ;(globalThis as unknown as { played: Played }).played.showsFor = 1_500
}

type Shown = Pick<Notification, 'title' | 'body' | 'tag'>
const notificationsNow = () =>
  (globalThis as unknown as { notificationsNow: () => Promise<Shown[]> }).notificationsNow()

/** Runs in the service worker: presses the only notification, as the system would. */
export async function press() {
  const scope = globalThis as unknown as ServiceWorkerGlobalScopeLike
  const [notification] = await scope.registration.getNotifications()
  scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
}
interface ServiceWorkerGlobalScopeLike extends EventTarget {
  registration: ServiceWorkerRegistration
  NotificationEvent: new (name: string, init: object) => Event
}

/** Stops the tab at once, without the events of a closing page. */
export async function crash(page: Page) {
  await page.evaluate(() => {
    ;(globalThis as unknown as { played: Played }).played.isCrashing = true
  })
  await page.close()
}
