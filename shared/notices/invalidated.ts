import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { noticeOf, type WriteName } from './invalidations.ts'
import type { Notice, Scope } from './notice.ts'
import { publishNotice } from './outbox.ts'

/** A part of a write found only during the work: an operation that finds a ring timed out also ends the call. */
export interface Invalidated {
  name: WriteName
  channel: ChannelId
  /** People it concerns. */
  users: readonly Username[]
  /** It also concerns everybody who may read the channel. */
  readers?: true
  /** Further collections of some people. */
  besides?: Scope['besides']
}

/** Called after the commit, so that a gateway that reads at once sees the write. */
export async function publishInvalidated(stores: Stores, invalidated: readonly Invalidated[]): Promise<void> {
  for (const notice of noticesOf(invalidated)) await publishNotice(stores, notice)
}

function noticesOf(invalidated: readonly Invalidated[]): Notice[] {
  const byChannel = Map.groupBy(invalidated, ({ channel }) => channel)
  return [...byChannel].map(([channel, parts]) => {
    const notices = parts.map(({ name }) => noticeOf(name, { channel }))
    const names = [...new Set(parts.flatMap(({ users }) => users))]
    const besides = parts.flatMap(part => part.besides ?? [])
    return {
      channel,
      collections: [...new Set(notices.flatMap(({ collections }) => collections))],
      ...(parts.some(({ readers }) => readers) ? { also: names } : { users: names }),
      ...(besides.length > 0 ? { besides } : {}),
      ...(notices.some(({ membership }) => membership) ? { membership: true } : {}),
    }
  })
}
