import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { OutgoingEvent } from '#shared/jobs/webhook-request.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** SQL: the maker of `hook` is an active administrator. */
export const IS_OF_ADMIN = `exists (
  select from users maker
   where maker.username = hook.created_by and maker.state = 'active' and maker.role in ('owner', 'admin'))`

/** An active hook whose bot is active. */
export interface ListeningHook {
  id: number
  format: 'standard' | 'slack'
  bot: Username
  events: string[]
  channels: ChannelId[] | null
  triggers: string[] | null
  include_bots: boolean
  created_ts: Seconds
  /** The maker is an active administrator. */
  is_of_admin: boolean
}

export async function listeningHooks(db: Db): Promise<ListeningHook[]> {
  const { rows } = await db.query<ListeningHook>(
    `select hook.id, hook.format, hook.bot, hook.events, hook.channels, hook.triggers, hook.include_bots,
            hook.created_ts, ${IS_OF_ADMIN} as is_of_admin
       from hooks_out hook
       join users bot on bot.username = hook.bot
      where hook.active and bot.state = 'active'
      order by hook.id`,
  )
  return rows
}

/**
 * `deleted`: the message is. `no_access`: the bot reads its channel no more, or the maker does not administer.
 * `too_many_waiting`: of the whole server.
 */
export type Untold = 'deleted' | 'no_access' | 'too_many_waiting'

/** A delivery that this janitor sends, with its hook. */
export interface Claim {
  id: string
  target_id: number
  event: OutgoingEvent
  /** Why it was not told before; its content is dropped. */
  untold: Untold | null
  attempt: number
  /** The status of the former try. */
  last_status: number | null
  leased_until: Seconds
}

export interface SendingHook {
  id: number
  name: string
  url: string
  format: 'standard' | 'slack'
  bot: Username
  is_bot_active: boolean
  /** The maker is an active administrator. */
  is_of_admin: boolean
  secret_enc: Buffer
  old_secret_enc: Buffer | null
  old_until: Seconds | null
  verify_token_enc: Buffer
}

/** Leaves out hooks that are disabled. */
export async function sendingHooks(db: Db, ids: readonly number[]): Promise<Map<number, SendingHook>> {
  const { rows } = await db.query<SendingHook>(
    `select hook.id, hook.name, hook.url, hook.format, hook.bot, hook.secret_enc, hook.old_secret_enc, hook.old_until,
            hook.verify_token_enc, bot.state = 'active' as is_bot_active, ${IS_OF_ADMIN} as is_of_admin
       from hooks_out hook
       join users bot on bot.username = hook.bot
      where hook.id = any($1) and hook.active`,
    [ids],
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** Nothing changes if the value is another one meanwhile. */
export async function replaceSealed(
  db: Db,
  id: number,
  column: 'secret_enc' | 'old_secret_enc' | 'verify_token_enc',
  { from, to }: { from: Buffer; to: Buffer },
): Promise<void> {
  await db.query(`update hooks_out set ${column} = $3 where id = $1 and ${column} = $2`, [id, from, to])
}
