import type { ChannelId, Username } from '#shared/rules/units.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Notice } from './notice.ts'
import { publishNotice } from './outbox.ts'
import { noticeOf, type WriteName } from './touches.ts'

/** Part of a write that shows only while it is done: a verb that finds a call's ring run out has ended the call too. */
export interface Touched {
  name: WriteName
  channel: ChannelId
  /** Whom it concerns, as far as it is not the channel. */
  users: readonly Username[]
  /** Besides `users` it concerns everybody who may read the channel. */
  readers?: true
}

/** The unit of work where `work` itself finds out what it touches. One transaction, then one notice a channel. */
export async function writeTouching<T>(
  stores: Stores,
  work: (tx: Db, touched: Touched[]) => Promise<T>,
): Promise<T> {
  const touched: Touched[] = []
  const result = await inTransaction(stores.pool, tx => work(tx, touched))
  await publish(stores, touched)
  return result
}

/** After the commit, never before: whoever looks at once must see it. */
export async function publish(stores: Stores, touched: readonly Touched[]): Promise<void> {
  for (const notice of noticesOf(touched)) await publishNotice(stores, notice)
}

function noticesOf(touched: readonly Touched[]): Notice[] {
  const byChannel = Map.groupBy(touched, ({ channel }) => channel)
  return [...byChannel].map(([channel, parts]) => {
    const notices = parts.map(({ name }) => noticeOf(name, { channel }))
    const names = [...new Set(parts.flatMap(({ users }) => users))]
    return {
      channel,
      collections: [...new Set(notices.flatMap(({ collections }) => collections))],
      ...(parts.some(({ readers }) => readers) ? { also: names } : { users: names }),
      ...(notices.some(({ membership }) => membership) ? { membership: true } : {}),
    }
  })
}
