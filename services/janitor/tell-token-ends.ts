import { lockName } from '#shared/access/account-locks.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Before the end; tokens that live shorter are not announced. */
const AHEAD: Seconds = 7 * 24 * 3_600
const BATCH = 500

interface Ending {
  id: number
  name: string
  username: Username
  /** The maker, or the owner of the bot: who made its token may have left. */
  created_by: Username
  expires_ts: Seconds
}

/** Tells makers of tokens, and owners of bots, in their DM with bothy which ones expire within a week (interface 19.2). */
export async function tellTokenEnds(stores: Stores): Promise<number> {
  let told = 0
  for (const token of await endingSoon(stores)) if (await tell(stores, token)) told++
  return told
}

async function endingSoon({ db, clock }: Stores): Promise<Ending[]> {
  const { rows } = await db.query<Ending>(
    `select api_tokens.id, name, username, coalesce(bot_owner, created_by) as created_by, expires_ts
       from api_tokens
       join users using (username)
      where revoked_ts is null and told_ts is null and coalesce(bot_owner, created_by) is not null
        and expires_ts > $1 and expires_ts < $1 + $2 and api_tokens.created_ts < expires_ts - $2
      order by expires_ts
      limit $3`,
    [clock.now(), AHEAD, BATCH],
  )
  return rows
}

/** Once, whichever janitor comes first. The maker may have another name by now. */
async function tell(
  stores: Stores,
  { id, name, username, created_by, expires_ts }: Ending,
): Promise<boolean> {
  const scope = (told: { maker: Username; channel: ChannelId }) => ({
    channel: told.channel,
    users: [told.maker],
    besides: [{ collections: ['sidebar'] as const, users: [told.maker] }],
  })
  const outcome = await runTransaction(stores, 'send', scope, async tx => {
    const maker = await lockName(tx, created_by, `state = 'active'`)
    if (!(await markTold(tx, id, stores.clock.now())) || maker === undefined) return unchanged
    const channel = dmId([maker, SYSTEM_SENDER])
    const day = new Date(expires_ts * 1_000).toISOString().slice(0, 10)
    const of = username === created_by ? 'Your token' : `The token of ${username}`
    const where = username === created_by ? 'Settings' : 'Administration › Integrations'
    const text = `${of} “${name}” ends on ${day}. Make a new one in ${where}, and put it where the program has the old one.`
    await insertSystemMessage(tx, channel, text, { opensFor: [maker] })
    return { maker, channel }
  })
  return outcome !== unchanged
}

async function markTold(tx: Db, id: number, now: Seconds): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update api_tokens set told_ts = $2 where id = $1 and told_ts is null and revoked_ts is null',
    [id, now],
  )
  return rowCount === 1
}
