// The service worker. It holds two things: the files of a build, whose names change with their content, and the page itself
// for the moments without a server. The page always comes from the server when there is one, so a stale client never
// meets a newer server. BUILD and FILES are put in front by vite.config.ts.

const ASSETS = 'bothy assets '
const SHELL = 'bothy page'
/** Of web/src/server/faces.ts. */
const FACES = 'bothy faces'
/** The databases of web/src/server/cache.ts. */
const REMEMBERED = 'bothy cache '
/** An open tab of the last build may still ask for its parts. */
const KEPT_BUILDS = 2
/** The front door answers so while the server behind it starts. */
const AWAY = [502, 503, 504]
/** Who is shown these is nobody yet, or nobody any more. */
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

// A notification was pressed: show the conversation that it speaks of.
addEventListener('notificationclick', event => {
  event.notification.close()
  event.waitUntil(show(event.notification.data?.hash ?? ''))
})

async function asset(request) {
  return (await caches.match(request)) ?? fetch(request)
}

/**
 * Files of a build are answered, and what nothing is kept of goes its way, without waking this worker. Chromium loses what a
 * page says on its way out (that it leaves a call, say) when the worker would have to be asked first.
 */
function letPass(event) {
  event
    .addRoutes?.([
      { condition: { urlPattern: { pathname: '/assets/*' }, requestMethod: 'GET' }, source: 'cache' },
      { condition: { not: { requestMode: 'navigate' } }, source: 'network' },
    ])
    .catch(() => {
      // A browser that knows other conditions only asks here each time.
    })
}

/** Asked for while this worker was starting, by browsers that can. */
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
  // A redirect leads to the login page: whoever comes next may be somebody else.
  if (!response.ok || response.redirected) return Promise.all([cache.delete('/'), caches.delete(FACES)])
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  await cache.put('/', new Response(withoutLists(await response.text()), { headers }))
}

/** They are what the server said then: a page that is shown without it takes what the device remembers. */
const withoutLists = page => page.replace(/<script type="application\/json" id="lists">[^<]*<\/script>/, '')

let last = Promise.resolve()

/** What is kept of a page on its way must not come after a sign-out. */
function inTurn(work) {
  last = last.then(work, work)
  return last
}

/** The answer waits: whoever sees it finds nothing kept. The page that is left may keep something until then, so twice. */
async function signOut(event) {
  const forget = () => inTurn(forgetPerson).catch(() => {})
  event.waitUntil(forget())
  const response = await fromServer(event)
  await forget()
  return response
}

/** A sign-out by a link or the address bar. The page has done it itself where it was asked to. */
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

/** In the tab that was looked at last, in its place; the pages before signing in cannot show it. */
async function show(hash) {
  const all = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = all.find(client => new URL(client.url).pathname === '/')
  if (!open) return clients.openWindow(`/${hash}`)
  open.postMessage({ show: hash })
  await open.focus()
}
