import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { CommandPayload } from '#shared/domain/payloads/commands.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface CommandRow {
  name: string
  url: string
  secret_enc: Buffer
  verify_token_enc: Buffer
  bot: Username
  description: string | null
  usage: string | null
  created_ts: Seconds
}

/** By name. With `isFull` what administrators see besides. */
export async function readCommands(db: Db, isFull: boolean): Promise<CommandPayload[]> {
  const { rows } = await db.query<CommandPayload>(
    `select name, description, usage ${isFull ? ', url, bot, created_by, created_ts, last_used_ts, last_error' : ''}
       from slash_commands
      order by name`,
  )
  return rows
}

export async function commandNamed(db: Db, name: string): Promise<CommandRow | undefined> {
  const { rows } = await db.query<CommandRow>(
    `select name, url, secret_enc, verify_token_enc, bot, description, usage, created_ts
       from slash_commands
      where name = $1`,
    [name],
  )
  return rows[0]
}

/** Null but for a public channel that was made here: another one may get its id after its deletion. */
export async function whenMade(db: Db, channel: ChannelId): Promise<Seconds | null> {
  const { rows } = await db.query<{ created_ts: Seconds | null }>(
    'select created_ts from channel_properties where channel = $1',
    [channel],
  )
  return rows[0]?.created_ts ?? null
}

/** Makers wait for each other, because two at once could exceed the number. */
export async function lockCommands(tx: Db): Promise<number> {
  await tx.query('select from command_revision for update')
  const { rows } = await tx.query<{ count: number }>('select count(*)::integer as count from slash_commands')
  return rows[0]!.count
}

/** False if the name is taken. */
export async function insertCommand(tx: Db, maker: Username, row: CommandRow): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into slash_commands (name, url, secret_enc, verify_token_enc, bot, description, usage, created_by, created_ts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (name) do nothing`,
    [
      row.name,
      row.url,
      row.secret_enc,
      row.verify_token_enc,
      row.bot,
      row.description,
      row.usage,
      maker,
      row.created_ts,
    ],
  )
  return rowCount === 1
}

export async function updateCommand(
  tx: Db,
  { name, url, bot, description, usage }: Pick<CommandRow, 'name' | 'url' | 'bot' | 'description' | 'usage'>,
): Promise<void> {
  await tx.query(
    'update slash_commands set url = $2, bot = $3, description = $4, usage = $5 where name = $1',
    [name, url, bot, description, usage],
  )
}

/** Written at most once a minute, unless the outcome is another one. */
const BETWEEN_USES: Seconds = 60

export async function noteUse(db: Db, { name, created_ts }: CommandRow, now: Seconds, error: string | null) {
  await db.query(
    `update slash_commands
        set last_used_ts = $3, last_error = $4
      where name = $1 and created_ts = $2
        and (last_error is distinct from $4 or last_used_ts is null or last_used_ts <= $5)`,
    [name, created_ts, now, error, now - BETWEEN_USES],
  )
}

export async function deleteCommand(tx: Db, name: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from slash_commands where name = $1', [name])
  return rowCount === 1
}

/** The shown name; the id of a DM. */
export async function channelName(
  db: Db,
  { id, privateId }: Pick<ReadableChannel, 'id' | 'privateId'>,
): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    `select coalesce((select name from private_channels where id = $2),
                     (select name from channel_properties where channel = $1), $1) as name`,
    [id, privateId ?? null],
  )
  return rows[0]!.name
}

/** A request that had no effect may be repeated. */
export async function forgetMade(db: Db, username: Username, clientId: string): Promise<void> {
  await db.query('delete from made_once where username = $1 and client_id = $2', [username, clientId])
}

export interface LateAnswer {
  username: Username
  channel: ChannelId
  /** Null for a text that answers no command. */
  command: string | null
  bot: Username
  content: string
}

/** Late answers that a person has at most, and as many other texts of bots, so that these displace no answer; the oldest go. */
const MOST_ANSWERS = 50

/** Returns the time of the row; undefined if the person is gone. */
export async function insertAnswer(db: Db, answer: LateAnswer): Promise<Seconds | undefined> {
  const { rows } = await db.query<{ ts: Seconds }>(
    `with old as (
       delete from command_answers
        where id in (
              select id from command_answers
               where username = $1 and (command is null) = ($3::text is null)
               order by id desc
              offset $6)
     )
     insert into command_answers (username, channel, command, bot, content, ts)
     select username, $2, $3, (select username from users where username = $4), $5,
            extract(epoch from clock_timestamp())
       from users
      where username = $1
  returning ts`,
    [answer.username, answer.channel, answer.command, answer.bot, answer.content, MOST_ANSWERS - 1],
  )
  return rows[0]?.ts
}

/** Nothing changes if the value is another one meanwhile. */
export async function replaceSealed(
  db: Db,
  name: string,
  column: 'secret_enc' | 'verify_token_enc',
  { from, to }: { from: Buffer; to: Buffer },
): Promise<void> {
  await db.query(`update slash_commands set ${column} = $3 where name = $1 and ${column} = $2`, [
    name,
    from,
    to,
  ])
}
