import type { BotPayload } from '#shared/domain/payloads/people.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** SQL: a hook has the account, and no token and no command does. */
const ACTS_FOR_HOOKS_ALONE = `
  (exists (select from hooks_in hook where hook.bot = users.username)
   or exists (select from hooks_out hook where hook.bot = users.username))
  and not exists (select from api_tokens token where token.username = users.username)
  and not exists (select from slash_commands command where command.bot = users.username)`

const LAST_USED = `greatest(
  (select max(last_used_ts) from api_tokens token where token.username = users.username),
  (select max(last_used_ts) from hooks_in hook where hook.bot = users.username),
  (select max(last_used_ts) from slash_commands command where command.bot = users.username))`

interface Viewer {
  username: Username
  isAdmin: boolean
}

/** All bots by name, without those that wait for a renaming's end. */
export async function readBots(db: Db, { username, isAdmin }: Viewer): Promise<BotPayload[]> {
  const { rows } = await db.query<BotPayload & { last_used_ts: Seconds | null }>(
    `select username, display_name, description, bot_owner as owner, state = 'active' as active,
            coalesce(bot_owner = $1, false) as mine, ${ACTS_FOR_HOOKS_ALONE} as of_hook,
            case when $2 or bot_owner = $1 then ${LAST_USED} end as last_used_ts
       from users
      where kind = 'bot'
      order by username_key`,
    [username, isAdmin],
  )
  return rows.map(({ last_used_ts, ...bot }) => (isAdmin || bot.mine ? { ...bot, last_used_ts } : bot))
}

export interface Bot {
  username: Username
  owner: Username | null
  display_name: string | null
  description: string | null
  /** It was made with a hook, whoever acts as it since. */
  isMadeWithHook: boolean
}

/** By its registered name. */
export async function botOf(db: Db, username: Username): Promise<Bot | undefined> {
  const { rows } = await db.query<Bot>(
    `select username, bot_owner as owner, display_name, description, is_bot_of_hook as "isMadeWithHook"
       from users
      where username = $1 and kind = 'bot'`,
    [username],
  )
  return rows[0]
}

/** Numbers of bots: those of an owner, and all. */
export async function countBots(tx: Db, owner: Username): Promise<{ own: number; all: number }> {
  const { rows } = await tx.query<{ own: number; all: number }>(
    `select count(*) filter (where bot_owner = $1)::integer as own, count(*)::integer as all
       from users
      where kind = 'bot'`,
    [owner],
  )
  return rows[0]!
}

export async function updateBot(tx: Db, { username, owner, display_name, description }: Bot): Promise<void> {
  await tx.query('update users set bot_owner = $2, display_name = $3, description = $4 where username = $1', [
    username,
    owner,
    display_name,
    description,
  ])
}
