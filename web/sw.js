// The service worker. It caches the files of a build, whose names change with their content, and the page itself for
// use without a server. The page comes from the server whenever possible, so a stale client never meets a newer server.
// vite.config.ts prepends BUILD and FILES.

const ASSETS = 'bothy assets '
const SHELL = 'bothy page'
/** Cache of web/src/net/device/avatar-cache.ts. */
const FACES = 'bothy faces'
/** Prefix of the databases of web/src/net/device/cache.ts. */
const REMEMBERED = 'bothy cache '
/** An open tab of the previous build may still load its parts. */
const KEPT_BUILDS = 2
/** Statuses of the front door while the server behind it starts. */
const AWAY = [502, 503, 504]
/** Pages without a session. */
const GOODBYES = ['/logout', '/login']

addEventListener('install', event => {
  letPass(event)
  event.waitUntil(
    caches
      .open(ASSETS + BUILD)
      .then(cache => cache.addAll(FILES))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', event => {
  event.waitUntil(
    Promise.all([forgetOldBuilds(), registration.navigationPreload?.enable()]).then(() => clients.claim()),
  )
})

addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
  else if (request.mode === 'navigate')
    event.respondWith(
      pathname === '/' ? page(event) : GOODBYES.includes(pathname) ? signOut(event) : fromServer(event),
    )
})

// A pressed notification opens its conversation.
addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(show(event.notification.data?.hash ?? ''))
})

async function asset(request) {
  return (await caches.match(request)) ?? fetch(request)
}

/**
 * Routes build files to the cache and uncached requests to the network without waking this worker. Chromium loses
 * requests of a closing page (leaving a call, for example) if the worker must be asked first.
 */
function letPass(event) {
  event
    .addRoutes?.([
      { condition: { urlPattern: { pathname: '/assets/*' }, requestMethod: 'GET' }, source: 'cache' },
      { condition: { not: { requestMode: 'navigate' } }, source: 'network' },
    ])
    .catch(() => {
      // A browser with other route conditions asks this worker each time.
    })
}

/** The navigation preload, where supported: requested while this worker was starting. */
const fromServer = async event => (await event.preloadResponse) ?? fetch(event.request)

async function page(event) {
  try {
    const response = await fromServer(event)
    if (AWAY.includes(response.status)) return (await kept()) ?? response
    const copy = response.clone()
    event.waitUntil(inTurn(() => keep(copy)))
    return response
  } catch (error) {
    const page = await kept()
    if (page) return page
    throw error
  }
}

const kept = () => caches.match('/', { cacheName: SHELL })

async function keep(response) {
  const cache = await caches.open(SHELL)
  // A redirect leads to the login page: the next user may be another person.
  if (!response.ok || response.redirected) return Promise.all([cache.delete('/'), caches.delete(FACES)])
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  await cache.put('/', new Response(withoutLists(await response.text()), { headers }))
}

/** The lists would be stale: a page from the cache uses those of the device. */
const withoutLists = page => page.replace(/<script type="application\/json" id="lists">[^<]*<\/script>/, '')

let last = Promise.resolve()

/** Serializes cache writes, so that a page in flight is not stored after a sign-out. */
function inTurn(work) {
  last = last.then(work, work)
  return last
}

/** The response waits for the deletion. Runs twice, because the old page may store data until then. */
async function signOut(event) {
  const forget = () => inTurn(forgetPerson).catch(() => {})
  event.waitUntil(forget())
  const response = await fromServer(event)
  await forget()
  return response
}

/** For a sign-out by a link or the address bar; the client's own sign-out has done it already. */
async function forgetPerson() {
  await Promise.all([caches.delete(SHELL), caches.delete(FACES)])
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

/** Reuses the most recently focused tab; pages before sign-in cannot show it. */
async function show(hash) {
  const all = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = all.find(client => new URL(client.url).pathname === '/')
  if (!open) return clients.openWindow(`/${hash}`)
  open.postMessage({ show: hash })
  await open.focus()
}
