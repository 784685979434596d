import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** An active hook whose bot and maker are there. */
export interface ListeningHook {
  id: number
  format: 'standard' | 'slack'
  bot: Username
  events: string[]
  channels: ChannelId[] | null
  triggers: string[] | null
  include_bots: boolean
  /** The maker is an active administrator. */
  is_of_admin: boolean
}

export async function listeningHooks(db: Db): Promise<ListeningHook[]> {
  const { rows } = await db.query<ListeningHook>(
    `select hook.id, hook.format, hook.bot, hook.events, hook.channels, hook.triggers, hook.include_bots,
            exists (select from users maker
                     where maker.username = hook.created_by and maker.state = 'active'
                       and maker.role in ('owner', 'admin')) as is_of_admin
       from hooks_out hook
       join users bot on bot.username = hook.bot
      where hook.active and bot.state = 'active'
      order by hook.id`,
  )
  return rows
}

/** A delivery that this janitor sends, with its hook. */
export interface Claim {
  id: string
  target_id: number
  event: Record<string, unknown>
  attempt: number
  leased_until: Seconds
}

export interface SendingHook {
  id: number
  name: string
  url: string
  format: 'standard' | 'slack'
  bot: Username
  secret_enc: Buffer
  old_secret_enc: Buffer | null
  old_until: Seconds | null
  verify_token_enc: Buffer
}

export async function sendingHooks(db: Db, ids: readonly number[]): Promise<Map<number, SendingHook>> {
  const { rows } = await db.query<SendingHook>(
    `select id, name, url, format, bot, secret_enc, old_secret_enc, old_until, verify_token_enc
       from hooks_out
      where id = any($1) and active`,
    [ids],
  )
  return new Map(rows.map(row => [row.id, row]))
}
