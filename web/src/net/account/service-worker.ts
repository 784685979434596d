/** The service worker, which keeps the client available offline, and the check for a newer client. */
import { signal } from '@preact/signals'
import { routeOf } from '../../store/route.ts'
import { forgetAvatars } from '../device/avatar-cache.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

/** Cache name, shared with sw.js. */
const KEPT_PAGE = 'bothy page'
const CHECK_INTERVAL = 60_000

/** The server has a newer client than this one. Reloads only on request: the user may be writing. */
export const isOutdated = signal(false)

/** Service workers need https or localhost; without one only the offline start is missing. */
export function startServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {
    // Private windows and browser policies forbid it.
  })
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    const { show } = (data ?? {}) as { show?: unknown }
    if (typeof show === 'string' && routeOf(show).channel !== undefined) location.hash = show
  })
}

/** The next user of this browser may be another person. */
export function forgetKeptPage() {
  if ('caches' in window) void caches.delete(KEPT_PAGE)
  forgetAvatars()
}

let checkedAt = Number.NEGATIVE_INFINITY

/** Called when the stream is back: the server may have been updated meanwhile. */
export async function lookForNewerClient() {
  if (!import.meta.env.PROD || isOutdated.peek() || performance.now() - checkedAt < CHECK_INTERVAL) return
  checkedAt = performance.now()
  try {
    const { client } = await endpoints.version()
    const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')
    if (client && own && own.getAttribute('src') !== client) isOutdated.value = true
  } catch (error) {
    tolerateFailure(error)
  }
}
