/**
 * System notifications. Shown by the service worker if there is one, because they then outlive the tab and work on
 * phones; sw.js opens their target on a press.
 */

export interface Popup {
  title: string
  body: string
  /** Names the conversation: its next notification replaces this. */
  tag: string
  hash: string
  /** Alerts again although one with its tag is shown. */
  calls: boolean
  silent: boolean
  /** Stays until pressed or closed. */
  stays: boolean
}

export type Permission = NotificationPermission | 'missing'

export function permissionNow(): Permission {
  return 'Notification' in window && isSecureContext ? Notification.permission : 'missing'
}

/** Notifications shown without a service worker. */
const own = new Map<string, Notification>()

/**
 * Runs jobs one at a time: Chromium forgets a notification that is queried while being shown. It then stays on the
 * screen, does nothing when pressed, and cannot be closed.
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

/** Undefined while still installing: such a worker cannot show notifications. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return registration?.active ? registration : undefined
}
