import { dmId, hasTooManyParticipants, MOST_PARTICIPANTS, parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A channel as a viewer may see it. */
export interface ReadableChannel {
  id: ChannelId
  kind: 'public' | 'dm' | 'private'
  /** For DMs: the names in the canonical id, existing or not. */
  participants: Username[]
  /** For private channels: the id as a number. */
  privateId: number | undefined
  /** Older messages are hidden from the viewer; 0 when all are visible. */
  historyStart: Seconds
}

/** Finds a channel for a viewer, the only way to reach one (interface 5.8, `is_valid_channel`). */
export async function readableChannel(
  stores: Stores,
  viewer: Username,
  text: string,
): Promise<ReadableChannel> {
  const channel = await findReadableChannel(stores, viewer, text)
  if (channel) return channel
  throw hasTooManyParticipants(text) ? errors.tooManyParticipants(MOST_PARTICIPANTS) : errors.forbidden()
}

/** Like `readableChannel`, but returns undefined, for endpoints that do not respond with 403. */
export async function findReadableChannel(
  stores: Stores,
  viewer: Username,
  text: unknown,
): Promise<ReadableChannel | undefined> {
  const parsed = typeof text === 'string' ? parseChannelId(text) : undefined
  if (!parsed) return undefined
  switch (parsed.kind) {
    case 'public':
      if (!stores.settings.current.channels.includes(parsed.id)) return undefined
      return { id: parsed.id, kind: 'public', participants: [], privateId: undefined, historyStart: 0 }
    case 'dm': {
      const participants = await registeredSpellings(stores.db, parsed.participants)
      if (participants.length < 2 || !participants.includes(viewer)) return undefined
      return { id: dmId(participants), kind: 'dm', participants, privateId: undefined, historyStart: 0 }
    }
    case 'private': {
      const membership = await membershipOf(stores.db, parsed.privateId, viewer)
      if (!membership) return undefined
      return {
        id: parsed.id,
        kind: 'private',
        participants: [],
        privateId: parsed.privateId,
        historyStart: membership.history_start_ts ?? 0,
      }
    }
  }
}

/** Returns the names in their registered spelling, unknown ones unchanged, sorted, without duplicates. */
async function registeredSpellings(db: Db, names: Username[]): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username; username_key: string }>(
    'select username, username_key from users where username_key = any($1)',
    [names.map(name => name.toLowerCase())],
  )
  const registered = new Map(rows.map(row => [row.username_key, row.username]))
  return [...new Set(names.map(name => registered.get(name.toLowerCase()) ?? name))].sort()
}

async function membershipOf(db: Db, channelId: number, viewer: Username) {
  const { rows } = await db.query<{ history_start_ts: Seconds | null }>(
    'select history_start_ts from private_channel_members where channel_id = $1 and username = $2',
    [channelId, viewer],
  )
  return rows[0]
}
