// The service worker. It holds two things: the files of a build, whose names change with their content, and the page itself
// for the moments without a server. The page always comes from the server when there is one, so a stale client never
// meets a newer server. BUILD and FILES are put in front by vite.config.ts.

const ASSETS = 'bothy assets '
const SHELL = 'bothy page'
/** The databases of web/src/server/cache.ts. */
const REMEMBERED = 'bothy cache '
/** An open tab of the last build may still ask for its parts. */
const KEPT_BUILDS = 2
/** The front door answers so while the server behind it starts. */
const AWAY = [502, 503, 504]

addEventListener('install', event => {
  event.waitUntil(
    caches
      .open(ASSETS + BUILD)
      .then(cache => cache.addAll(FILES))
      .then(() => skipWaiting()),
  )
})

// What scripts ask for is never answered here, and goes past the worker where the browser can do that. Chromium loses what a
// page says on its way out (that it leaves a call, say) when the worker would have to be asked first.
addEventListener('install', event => {
  event.addRoutes?.({ condition: { requestDestination: '' }, source: 'network' })
})

addEventListener('activate', event => {
  event.waitUntil(forgetOldBuilds().then(() => clients.claim()))
})

addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
  else if (request.mode === 'navigate' && pathname === '/') event.respondWith(page(request))
  else if (request.mode === 'navigate' && pathname === '/logout') event.waitUntil(forgetPerson())
})

// A notification was pressed: show the conversation that it speaks of.
addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(show(event.notification.data?.hash ?? ''))
})

async function asset(request) {
  return (await caches.match(request)) ?? fetch(request)
}

async function page(request) {
  const cache = await caches.open(SHELL)
  try {
    const response = await fetch(request)
    if (AWAY.includes(response.status)) return (await cache.match('/')) ?? response
    // A redirect leads to the login page: whoever comes next may be somebody else.
    if (response.ok && !response.redirected) await cache.put('/', response.clone())
    else await cache.delete('/')
    return response
  } catch (error) {
    const kept = await cache.match('/')
    if (kept) return kept
    throw error
  }
}

/** A sign-out by a link or the address bar. The page has done it itself where it was asked to. */
async function forgetPerson() {
  await caches.delete(SHELL)
  for (const { name } of (await indexedDB.databases?.()) ?? [])
    if (name.startsWith(REMEMBERED)) indexedDB.deleteDatabase(name)
  for (const shown of await registration.getNotifications()) shown.close()
  await navigator.clearAppBadge?.()
}

async function forgetOldBuilds() {
  const builds = (await caches.keys()).filter(name => name.startsWith(ASSETS))
  const old = builds.filter(name => name !== ASSETS + BUILD).slice(0, -(KEPT_BUILDS - 1))
  await Promise.all(old.map(name => caches.delete(name)))
}

/** In the tab that was looked at last, in its place; the pages before signing in cannot show it. */
async function show(hash) {
  const all = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = all.find(client => new URL(client.url).pathname === '/')
  if (!open) return clients.openWindow(`/${hash}`)
  open.postMessage({ show: hash })
  await open.focus()
}
