import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { ACCOUNT_LOCK } from './account-locks.ts'

/**
 * Locks the accounts of a DM's participants against renaming and deletion until the transaction ends, in the order of
 * names, before every other lock; no effect for other channels. Throws 503 if one of them got another name since the
 * channel was found: its id is closed, and the repeated request finds the new one.
 */
export async function lockParticipants(tx: Db, channel: ChannelId): Promise<void> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind !== 'dm') return
  const { participants } = parsed
  await tx.query(`select from users where username = any($1) order by username ${ACCOUNT_LOCK.role}`, [
    participants,
  ])
  const { rows } = await tx.query<{ renamed: boolean }>(
    'select exists (select from unnest($1::text[]) as name where account_named(name) <> name) as renamed',
    [participants],
  )
  if (rows[0]!.renamed) throw errors.unavailable()
}
