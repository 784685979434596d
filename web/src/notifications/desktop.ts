/**
 * Notifications of the system. Through the service worker where there is one, for then they outlive the tab and work on
 * phones; sw.js opens what they speak of when they are pressed.
 */

export interface Popup {
  title: string
  body: string
  /** One for each conversation: the next one takes its place. */
  tag: string
  hash: string
  /** Makes itself noticed again although one of its tag is there. */
  calls: boolean
  silent: boolean
  /** Until it is pressed or taken away. */
  stays: boolean
}

export type Permission = NotificationPermission | 'missing'

export function permissionNow(): Permission {
  return 'Notification' in window && isSecureContext ? Notification.permission : 'missing'
}

/** Those of a page without a service worker. */
const own = new Map<string, Notification>()

/**
 * One after the other: Chromium forgets a notification that is asked about while it is being shown. It stays on the screen,
 * opens nothing when it is pressed, and cannot be taken away.
 */
let last: Promise<unknown> = Promise.resolve()
function inTurn(job: () => Promise<void>): Promise<void> {
  const turn = last.then(job)
  last = turn.catch(() => {})
  return turn
}

export const popUp = (popup: Popup) => inTurn(() => show(popup))
export const takeAway = (tag?: string) => inTurn(() => close(tag))

async function show(popup: Popup) {
  if (permissionNow() !== 'granted') return
  const { title, hash, calls, stays, ...rest } = popup
  const options = {
    ...rest,
    renotify: calls,
    requireInteraction: stays,
    icon: '/icons/icon-192.png',
    lang: document.documentElement.lang,
    data: { hash },
  }
  const worker = await registration()
  if (worker) return worker.showNotification(title, options)
  const shown = new Notification(title, options)
  own.set(popup.tag, shown)
  shown.addEventListener('close', () => own.get(popup.tag) === shown && own.delete(popup.tag))
  shown.addEventListener('click', () => {
    shown.close()
    window.focus()
    location.hash = hash
  })
}

async function close(tag: string | undefined) {
  for (const [name, shown] of own) if (tag === undefined || name === tag) shown.close()
  const worker = permissionNow() === 'granted' ? await registration() : undefined
  const shown = (await worker?.getNotifications(tag === undefined ? {} : { tag })) ?? []
  for (const one of shown) one.close()
}

/** One that is still being installed cannot show anything. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  const found = await navigator.serviceWorker?.getRegistration()
  return found?.active ? found : undefined
}
