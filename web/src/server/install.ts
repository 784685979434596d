/** The service worker, which keeps the client for moments without a server, and the question whether there is a newer client. */
import { signal } from '@preact/signals'
import { routeOf } from '../store/route.ts'
import * as endpoints from './endpoints.ts'
import { forgetFaces } from './faces.ts'

/** The name that sw.js knows it by. */
const KEPT_PAGE = 'bothy page'
const ASKED_AT_MOST_EVERY = 60_000

/** The server hands out another client than this one. Nothing is reloaded unasked: somebody may be writing. */
export const isOutdated = signal(false)

/** Browsers have a service worker under https and on the machine itself only; without it everything but starting offline works. */
export function startServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => {
    // Private windows and policies of browsers forbid it.
  })
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    const { show } = (data ?? {}) as { show?: unknown }
    if (typeof show === 'string' && routeOf(show).channel !== undefined) location.hash = show
  })
}

/** Whoever comes next may be somebody else. */
export function forgetKeptPage() {
  if ('caches' in window) void caches.delete(KEPT_PAGE)
  forgetFaces()
}

let askedAt = Number.NEGATIVE_INFINITY

/** To be called when the stream is there again: while it was away the server may have been replaced. */
export async function lookForNewerClient() {
  if (isOutdated.peek() || performance.now() - askedAt < ASKED_AT_MOST_EVERY) return
  askedAt = performance.now()
  try {
    const { client } = await endpoints.version()
    const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')
    if (client && own && own.getAttribute('src') !== client) isOutdated.value = true
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
  }
}
