import { readGatewayConfig } from '#shared/runtime/config.ts'
import { Health } from '#shared/runtime/health.ts'
import { listener, orExit, run } from '#shared/runtime/lifecycle.ts'
import { metrics } from '#shared/runtime/metrics.ts'
import { openBlockingRedis } from '#shared/stores/redis.ts'
import { openStores } from '#shared/stores/stores.ts'
import { gatewayServer } from './accept.ts'
import { KeepAlive } from './keep-alive.ts'
import { Memberships } from './memberships.ts'
import { countStreams } from './metrics.ts'
import { NoticeFeed } from './notice-feed.ts'
import { passedSockets } from './passed-sockets.ts'
import { slots as slotsIn } from './slots.ts'
import { Watches } from './watches.ts'
import { WriteProbe } from './write-probe.ts'

const config = await orExit(readGatewayConfig)
const stores = await orExit(() => openStores(config))
const health = new Health(stores.checks)

const slots = slotsIn(stores)
const watches = new Watches(stores)
const memberships = new Memberships(stores, watches.viewers)
const keepAlive = new KeepAlive(stores, slots)
countStreams(keepAlive)
const onGap = () => {
  memberships.forgetAll()
  watches.invalidateAll()
}
// A restore ends all sessions. The streams of tabs that sign in again know nothing of the former database.
stores.onReplaced(() => {
  onGap()
  void keepAlive.endOpen()
})
const feed = new NoticeFeed(openBlockingRedis(config.redisUrl), stores.keys, {
  onNotice(notice) {
    if (notice.endedSessions) keepAlive.endSessions(notice.endedSessions)
    if (notice.endedSessionsOf) void keepAlive.endSessionsOf(notice.endedSessionsOf)
    memberships.resolve(notice, invalidation => watches.invalidate(invalidation))
  },
  onGap,
})
const probe = new WriteProbe(stores, onGap)
const server = gatewayServer({ stores, watches, keepAlive, slots }, config, health)
const door = listener(server, config.port)

await run([
  { name: 'stores', stop: () => stores.stop() },
  { name: 'watches', stop: () => watches.stop() },
  { name: 'notice feed', start: () => feed.start(), stop: () => feed.stop() },
  { name: 'write probe', start: () => probe.start(), stop: () => probe.stop() },
  { name: 'keep-alive', start: () => keepAlive.start(), stop: () => keepAlive.stop() },
  { name: 'settings', start: () => stores.settings.onChange(() => watches.invalidateAll()) },
  // The listener closes only after the last stream has ended, so both run together.
  {
    name: 'streams',
    start: door.start,
    drain: door.drain,
    stop: () => Promise.all([door.stop?.(), keepAlive.endAll()]),
  },
  passedSockets(server),
  metrics(health),
  { name: 'health', stop: () => health.drain() },
])
