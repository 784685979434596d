import { dmId, hasTooManyParticipants, MOST_PARTICIPANTS, parseChannelId } from '#shared/domain/channel-id.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type ChannelAccess, privateAccess, publicAccess } from './access-of.ts'
import { visibleAmong } from './visible-people.ts'

/** A channel as a viewer may see it. */
export interface ReadableChannel extends Omit<ChannelAccess, 'role'> {
  id: ChannelId
  kind: 'public' | 'dm' | 'private'
  /** For DMs: the names in the canonical id, existing or not. */
  participants: Username[]
  /** For private channels: the id as a number. */
  privateId: number | undefined
  /** Older messages are hidden from the viewer; 0 when all are visible. */
  historyStart: Seconds
  /** The viewer's; null for DMs, where it has no meaning. */
  role: ChannelAccess['role'] | null
}

export interface ChannelLookup {
  /** Asks whether the viewer manages the channel, which costs further index probes. */
  withManaging?: boolean
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
  { withManaging = false }: ChannelLookup = {},
): Promise<ReadableChannel | undefined> {
  const parsed = typeof text === 'string' ? parseChannelId(text) : undefined
  if (!parsed) return undefined
  switch (parsed.kind) {
    case 'public': {
      const access = await publicAccess(stores, viewer, parsed.id, withManaging)
      return access && { id: parsed.id, kind: 'public', participants: [], privateId: undefined, ...access }
    }
    case 'dm': {
      const { participants, guests } = await registeredSpellings(stores.db, parsed.participants)
      if (participants.length < 2 || !participants.includes(viewer)) return undefined
      const id = dmId(participants)
      if (guests.includes(viewer) && !(await mayOpenDm(stores, viewer, id, participants))) return undefined
      return { id, kind: 'dm', participants, privateId: undefined, ...IN_DM }
    }
    case 'private': {
      const { id, privateId } = parsed
      const access = await privateAccess(stores, viewer, privateId, withManaging)
      return access && { id, kind: 'private', participants: [], privateId, ...access }
    }
  }
}

const IN_DM = { role: null, historyStart: 0, isArchived: false, posting: 'everyone', manages: false } as const

/** Throws 409 if a message was written for another channel than the one it is sent to. `composedFor`: any id of it. */
export async function checkComposedFor(
  stores: Stores,
  viewer: Username,
  { id }: ReadableChannel,
  composedFor: string | undefined,
): Promise<void> {
  if (composedFor === undefined || composedFor === id) return
  if ((await findReadableChannel(stores, viewer, composedFor))?.id !== id) throw errors.composedElsewhere()
}

/** Throws where nobody, or only managers, may write. */
export function checkPosting({ isArchived, posting, manages }: ReadableChannel): void {
  if (isArchived) throw errors.archivedChannel()
  if (posting === 'managers' && !manages) throw errors.readOnlyChannel()
}

/** Throws in an archived channel, which nothing but deletions changes. */
export function checkNotArchived({ isArchived }: Pick<ReadableChannel, 'isArchived'>): void {
  if (isArchived) throw errors.archivedChannel()
}

/** A guest reads the DMs that exist, and begins one with people whom they see. */
async function mayOpenDm(stores: Stores, guest: Username, id: ChannelId, participants: Username[]) {
  const { rowCount } = await stores.db.query(
    'select from dm_participants where username = $1 and channel = $2',
    [guest, id],
  )
  return rowCount === 1 || (await visibleAmong(stores, guest, participants)).length === participants.length
}

/** Returns the names in their registered spelling, former ones replaced, unknown ones unchanged, sorted, without duplicates. */
async function registeredSpellings(db: Db, names: Username[]) {
  const { rows } = await db.query<{ username: Username; username_key: string; role: Role }>(
    `select username, username_key, role from users where username_key = any($1)
     union all
     select username, former.username_key, role
       from former_names former join users using (username)
      where former.username_key = any($1)`,
    [names.map(name => name.toLowerCase())],
  )
  const registered = new Map(rows.map(row => [row.username_key, row.username]))
  return {
    participants: [...new Set(names.map(name => registered.get(name.toLowerCase()) ?? name))].sort(),
    guests: rows.filter(({ role }) => role === 'guest').map(({ username }) => username),
  }
}
