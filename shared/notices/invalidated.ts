import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { noticeOf, type Scope, type WriteName } from './invalidations.ts'
import type { Concern, Notice } from './notice.ts'
import { publishNotice } from './outbox.ts'

/** A part of a write found only during the work: an operation that finds a ring timed out also ends the call. */
export interface Invalidated {
  name: WriteName
  channel: ChannelId
  /** People it concerns. */
  users: readonly Username[]
  /** It also concerns everybody who may read the channel. */
  readers?: true
  besides?: Scope['besides']
}

/** Called after the commit, so that a gateway that reads at once sees the write. */
export async function publishInvalidated(stores: Stores, invalidated: readonly Invalidated[]): Promise<void> {
  for (const notice of noticesOf(invalidated)) await publishNotice(stores, notice)
}

/** Per channel. */
function noticesOf(invalidated: readonly Invalidated[]): Notice[] {
  const byChannel = Map.groupBy(invalidated, ({ channel }) => channel)
  return [...byChannel.values()].map(parts => ({
    concerns: merged(parts.flatMap(part => noticeOf(part.name, scopeOf(part)).concerns)),
  }))
}

function scopeOf({ channel, users, readers, besides = [] }: Invalidated): Scope {
  if (!readers) return { channel, users, besides }
  return { channel, besides: users.length > 0 ? [{ channel, users }, ...besides] : besides }
}

/** Joins the collections of concerns that are alike otherwise. */
function merged(concerns: readonly Concern[]): Concern[] {
  const alike = Map.groupBy(concerns, ({ collections: _, ...whom }) => JSON.stringify(whom))
  return [...alike.values()].map(([first, ...others]) => ({
    ...first!,
    collections: [...new Set([first!, ...others].flatMap(({ collections }) => collections))],
  }))
}
