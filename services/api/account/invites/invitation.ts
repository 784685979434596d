import { personOf } from '#shared/access/person.ts'
import { publicChannels } from '#shared/access/public-channels.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import { fragmentOf } from '#shared/domain/fragment.ts'
import { hasRight, ROLES, type Role } from '#shared/domain/roles.ts'
import { type ChannelId, idFrom, type Username } from '#shared/domain/units.ts'
import { type Invalidated, publishInvalidated } from '#shared/notices/invalidated.ts'
import { OF_OWN_CHANNELS, OF_READABLE_CHANNELS } from '#shared/notices/invalidations.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { addToPrivate } from '../../channels/private/add-member.ts'
import { joinWithin } from '../../channels/public/join.ts'
import {
  countUse,
  hasUsed,
  inviterOf,
  lockInvite,
  namesOf,
  type OpenInvite,
  openInvite,
  type Validity,
} from './queries.ts'

const CODE = /^[A-Za-z0-9]{16}$/

export const validityNow = ({ settings, clock }: Stores): Validity => ({
  now: clock.now(),
  roles: ROLES.filter(role => hasRight(role, 'invite', settings.current)),
})

export function checkInviter({ settings }: Stores, role: Role): void {
  if (!hasRight(role, 'invite', settings.current))
    throw errors.coded(403, 'forbidden', 'You may not invite people here.')
}

/** An invitation that `viewer`, or a newcomer, can use; undefined if it is not valid. */
export async function findInvitation(
  stores: Stores,
  code: string,
  viewer?: Username,
): Promise<OpenInvite | undefined> {
  if (!CODE.test(code)) return undefined
  const invite = await openInvite(stores.db, code, validityNow(stores))
  if (!invite || invite.hasUses) return invite
  const isKnown = viewer !== undefined && (await hasUsed(stores.db, invite.id, viewer))
  return isKnown ? invite : undefined
}

/** As `findInvitation` for a newcomer; nobody else uses it until the transaction ends. */
export async function lockInvitation(stores: Stores, tx: Db, code: string): Promise<OpenInvite | undefined> {
  if (!CODE.test(code)) return undefined
  await lockInvite(tx, code)
  return findInvitation({ ...stores, db: tx }, code)
}

/** The contents of the page of an invitation. */
export interface ShownInvitation {
  role: OpenInvite['role']
  inviter: string
  workspace: string
  /** Path of the picture of the inviter, if they have one. */
  picture: string | undefined
  channels: string[]
}

export async function shownInvitation(stores: Stores, invite: OpenInvite): Promise<ShownInvitation> {
  const inviter = await inviterOf(stores.db, invite.created_by)
  const channels = await channelsStillOpen(stores, invite)
  return {
    role: invite.role,
    inviter: inviter?.display_name ?? invite.created_by,
    workspace: stores.settings.current.workspace_name,
    picture: inviter?.avatar_file ? `/invite/${invite.code}/picture` : undefined,
    channels: await namesOf(stores.db, channels),
  }
}

/** Fragment that opens the first channel of the invitation; empty without one. */
export async function placeOf(stores: Stores, invite: OpenInvite): Promise<string> {
  const open = await channelsStillOpen(stores, invite)
  const first = invite.channels.find(channel => open.includes(channel)) ?? (await firstFor(stores, invite))
  return first === undefined ? '' : fragmentOf(first)
}

/** Members start in the first channel; guests have those of the invitation alone. */
async function firstFor(stores: Stores, { role }: OpenInvite): Promise<ChannelId | undefined> {
  return role === 'guest' ? undefined : (await publicChannels(stores)).find(one => one.isDefault)?.channel
}

/** The stored file with the picture of the maker. */
export async function pictureOf({ db }: Stores, { created_by }: OpenInvite): Promise<string | undefined> {
  return (await inviterOf(db, created_by))?.avatar_file ?? undefined
}

/**
 * Counts the first use by the person and lets them into the channels; adds them to `invalidated`. A later use changes
 * nothing, since the person may have been removed. Channels that the maker has left meanwhile are skipped. Called under
 * the lock of the invitation.
 */
export async function useInvitation(
  stores: Stores,
  tx: Db,
  invite: OpenInvite,
  username: Username,
  { invalidated, address }: { invalidated: Invalidated[]; address: string | undefined },
): Promise<void> {
  const now = stores.clock.now()
  if (!(await countUse(tx, invite.id, username, now))) return
  for (const channel of await channelsStillOpen({ ...stores, db: tx }, invite)) {
    const privateId = privateIdOf(channel)
    if (privateId !== undefined) {
      const added = await addToPrivate(tx, { id: channel, privateId }, invite.created_by, username)
      if (added === 'added')
        invalidated.push({ name: 'addMember', channel, users: [username], readers: true })
    } else if (await joinWithin(stores, tx, username, channel)) {
      const besides = concernedByJoining(username, (await personOf(tx, username))?.role)
      invalidated.push({ name: 'joinByInvitation', channel, users: [username], readers: true, besides })
    }
  }
  const actor = { actor: username, actorKind: 'person', address } as const
  const detail = { by: invite.created_by }
  await insertAuditEntry(tx, { ...actor, action: 'invite.used', target: String(invite.id), detail })
}

/** Each sidebar tells whether a guest is in the channel. */
const concernedByJoining = (username: Username, role: Role | undefined) => [
  { collections: role === 'guest' ? OF_READABLE_CHANNELS : OF_OWN_CHANNELS, users: [username] },
  ...(role === 'guest' ? [{ collections: ['sidebar'] as const }] : []),
]

/** Lets a member into the channels of an invitation; their role stays. False if it is not valid. */
export async function acceptInvitation(
  stores: Stores,
  code: string,
  viewer: Username,
  address: string | undefined,
): Promise<boolean> {
  const invalidated: Invalidated[] = []
  const isUsed = await inTransaction(stores.pool, async tx => {
    await lockInvite(tx, code)
    const invite = await findInvitation({ ...stores, db: tx }, code, viewer)
    if (!invite) return false
    await useInvitation(stores, tx, invite, viewer, { invalidated, address })
    return true
  })
  await publishInvalidated(stores, invalidated)
  return isUsed
}

/** Channels that the maker can read and that are not archived, private ones in ascending order: the order of locks. */
async function channelsStillOpen(stores: Stores, { channels, created_by }: OpenInvite): Promise<ChannelId[]> {
  const open: ChannelId[] = []
  for (const channel of channels) {
    const readable = await findReadableChannel(stores, created_by, channel)
    if (readable && !readable.isArchived) open.push(channel)
  }
  return open.sort((a, b) => (privateIdOf(a) ?? 0) - (privateIdOf(b) ?? 0))
}

function privateIdOf(channel: ChannelId): number | undefined {
  return channel.startsWith('private:') ? idFrom(channel.slice('private:'.length)) : undefined
}
