import type { Person } from '#shared/access/person.ts'
import { lockMembership } from '#shared/access/private-channel.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { lockChannel } from '#shared/channels/channel-clock.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { hasRight } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { archivedError } from '../channels/public/locked-channel.ts'

/** Throws 403 for bots, and for people without the right. */
export function checkMayMake({ settings }: Stores, { kind, role }: Pick<Person, 'kind' | 'role'>): void {
  if (kind === 'bot' || !hasRight(role, 'make_hooks', settings.current))
    throw errors.coded(403, 'forbidden', 'You may not make hooks here.')
}

/**
 * A channel into which a person who may make hooks brings them: a public one that they manage, or a private one of theirs.
 * Locks the channel against deletion; the caller holds the account. 404 for one that they do not read.
 */
export async function channelForHook(
  stores: Stores,
  tx: Db,
  maker: Username,
  text: string,
): Promise<ReadableChannel> {
  await lockAgainstDeletion(tx, maker, text)
  const channel = await findReadableChannel({ ...stores, db: tx }, maker, text, { withManaging: true })
  if (!channel) throw errors.coded(404, 'not_found', 'There is no such channel.')
  if (channel.kind === 'dm') throw errors.invalid('channel must be a public or private channel')
  if (channel.kind === 'public' && !channel.manages)
    throw errors.coded(403, 'forbidden', 'Only managers bring hooks into a public channel.')
  if (channel.isArchived) throw archivedError()
  return channel
}

/**
 * Locks a channel against deletion, and a private one as `enterChannel` does. Before the lock of a hook: a deletion holds the
 * channel when it comes to the hooks.
 */
export async function lockAgainstDeletion(tx: Db, maker: Username, text: string): Promise<void> {
  const parsed = parseChannelId(text)
  if (parsed?.kind !== 'private')
    await tx.query('select from channels where id = $1 for key share', [parsed?.id ?? null])
  else if (await lockMembership(tx, parsed.privateId, maker)) await lockChannel(tx, parsed.id)
}
