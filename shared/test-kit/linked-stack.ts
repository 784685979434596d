import { NetworkLink } from './network-link.ts'
import { Person } from './person.ts'
import { type RunningService, startService } from './processes.ts'
import { type TestBacking, testBacking } from './stores.ts'
import { openTab, type Tab } from './tab.ts'

/** An api and a gateway that reach each store through a link; ada sends, and bob follows #general. */
export interface LinkedStack {
  backing: TestBacking
  postgres: NetworkLink
  redis: NetworkLink
  api: RunningService
  events: RunningService
  ada: Person
  bob: Person
  tab: Tab
  /** Mends the links first: a process behind a silent link would wait for it until it is killed. */
  close(): Promise<void>
}

export async function startLinkedStack(): Promise<LinkedStack> {
  const backing = await testBacking()
  const postgres = await NetworkLink.to(backing.env.DATABASE_URL)
  const redis = await NetworkLink.to(backing.env.REDIS_URL)
  const env = { ...backing.env, DATABASE_URL: postgres.url, REDIS_URL: redis.url, LOG_LEVEL: 'fatal' }
  const [api, events] = await Promise.all([startService('api', env), startService('events', env)])
  const ada = await new Person('ada', api.url).signUp()
  const bob = await new Person('bob', api.url).signUp()
  const tab = await openTab(events.url, bob.cookie, { channel: 'general' })
  return {
    backing,
    postgres,
    redis,
    api,
    events,
    ada,
    bob,
    tab,
    async close() {
      tab.close()
      await Promise.all([postgres.mend(), redis.mend()])
      await Promise.all([api.stop(), events.stop()])
      await Promise.all([postgres.cut(), redis.cut()])
      await backing.drop()
    },
  }
}
