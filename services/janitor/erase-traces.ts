import type { Username } from '#shared/domain/units.ts'
import { DELETED_SENDER } from '#shared/domain/username.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Deletion } from './deletions.ts'
import type { Pace } from './pace.ts'

const PAGE = 200
const LINES = 2_000

/** Removes the name from mentions in other people's messages; no cursor changes. */
export async function forgetMentions({ db }: Stores, { username }: Deletion, pace: Pace): Promise<number> {
  const { rowCount } = await pace.keep(() =>
    db.query(
      `with page as materialized (
         select message_id from message_mentions where username = $1 limit $2
       ), locked as materialized (
         select id from messages where id in (select message_id from page) order by id for no key update
       ), changed as (
         update messages set mentions = shown_mentions(mentions) from locked where messages.id = locked.id
       )
       delete from message_mentions
        where username = $1 and message_id in (select message_id from page)`,
      [username, pace.size],
    ),
  )
  return rowCount ?? 0
}

/** Removes the name from calls, shares and private channels. */
export async function forgetRecords({ pool }: Stores, { username }: Deletion): Promise<number> {
  return inTransaction(pool, async tx => {
    const calls = await forgetCalls(tx, username)
    const { rowCount: shares } = await tx.query(
      `delete from screen_shares
        where share_id = any(array(select share_id from screen_shares where sharer = $1 and state = 'ended' limit $2))`,
      [username, PAGE],
    )
    const { rowCount: channels } = await tx.query(
      `update private_channels
          set created_by = $2
        where id = any(array(select id from private_channels where created_by = $1 limit $3))`,
      [username, DELETED_SENDER, PAGE],
    )
    const { rowCount: properties } = await tx.query(
      `update channel_properties
          set created_by = case when created_by = $1 then $2 else created_by end,
              archived_by = case when archived_by = $1 then $2 else archived_by end
        where $1 in (created_by, archived_by)`,
      [username, DELETED_SENDER],
    )
    await tx.query('delete from signals where $1 in (sender, recipient)', [username])
    const pins = await forgetPins(tx, username)
    const forwards = await forgetForwards(tx, username)
    return calls + (shares ?? 0) + (channels ?? 0) + (properties ?? 0) + pins + forwards
  })
}

/** Messages stay pinned, by nobody. */
async function forgetPins(tx: Db, username: Username): Promise<number> {
  const { rowCount } = await tx.query(
    `with page as materialized (
       select message_id from pins where pinned_by = $1 order by message_id limit $3
     ), shown as (
       update messages
          set extra = jsonb_set(extra, '{pinned,by}', to_jsonb($2::text))
        where id in (select message_id from page) and extra ? 'pinned'
     )
     update pins set pinned_by = $2 where message_id in (select message_id from page)`,
    [username, DELETED_SENDER, PAGE],
  )
  return rowCount ?? 0
}

/** Forwarded texts stay, as texts of those who forwarded them. */
async function forgetForwards(tx: Db, username: Username): Promise<number> {
  const { rowCount } = await tx.query(
    `update messages
        set extra = jsonb_set(extra, '{forward,sender}', to_jsonb($2::text))
      where id = any(array(
              select id from messages
               where extra ? 'forward' and extra -> 'forward' ->> 'sender' = $1 limit $3))`,
    [username, DELETED_SENDER, PAGE],
  )
  return rowCount ?? 0
}

/** Skips calls not left yet: the api, or another task of the janitor, leaves those. */
async function forgetCalls(tx: Db, username: Username): Promise<number> {
  const { rows } = await tx.query<{ call_id: string }>(
    `select call_id
       from call_participants
      where username = $1 and state in ('rejected', 'left')
      limit $2`,
    [username, PAGE],
  )
  const ids = rows.map(row => row.call_id)
  if (ids.length === 0) return 0
  await tx.query(
    `with locked as (select call_id from calls where call_id = any($2) order by call_id for no key update)
     update calls set initiator = $3 from locked where calls.call_id = locked.call_id and initiator = $1`,
    [username, ids, DELETED_SENDER],
  )
  await tx.query('delete from call_participants where username = $1 and call_id = any($2)', [username, ids])
  return ids.length
}

/**
 * Replaces the name in system lines. Reads them page by page, since no index finds a name in a text without false hits;
 * system lines are few.
 */
export async function forgetSystemLines({ pool }: Stores, { username }: Deletion): Promise<number> {
  return inTransaction(pool, async tx => {
    const lines = await nextLines(tx, username)
    for (const { id, content } of lines) {
      const changed = withoutName(content, username)
      if (changed !== content) await tx.query('update messages set content = $2 where id = $1', [id, changed])
    }
    const last = lines.at(-1)
    if (last === undefined) return 0
    await tx.query('update account_deletions set lines_after = $2 where username = $1', [username, last.id])
    return lines.length
  })
}

async function nextLines(tx: Db, username: Username) {
  const { rows } = await tx.query<{ id: number; content: string }>(
    `select id, coalesce(content, '') as content
       from messages
      where content_type = 'system'
        and id > (select lines_after from account_deletions where username = $1)
      order by id
      limit $2`,
    [username, LINES],
  )
  return rows
}

/** Replaces the name only where the line's form has a name: a user may be called `Call`. Exported for its test. */
export function withoutName(line: string, username: Username): string {
  const added = ADDED.exec(line)?.groups
  if (added) {
    const shown = (name: string) => (name === username ? DELETED_SENDER : name)
    const others = added['others']!.split(/(, | and )/).map(shown)
    return `${shown(added['adder']!)} added ${others.join('')}.`
  }
  for (const form of FORMS) {
    const match = form.exec(line)
    const names = match?.indices?.groups ?? {}
    const places = Object.values(names).filter(place => place !== undefined)
    const own = places.filter(([from, to]) => line.slice(from, to) === username).sort((a, b) => b[0] - a[0])
    if (own.length > 0) {
      return own.reduce((text, [from, to]) => text.slice(0, from) + DELETED_SENDER + text.slice(to), line)
    }
  }
  return line
}

const NAME = '[A-Za-z0-9_-]{1,32}|Deleted User'
/** Several people, added to a public channel. */
const ADDED = new RegExp(`^(?<adder>${NAME}) added (?<others>(${NAME})((, | and )(${NAME}))*)\\.$`)
const FORMS = [
  `^Welcome to bothy, (?<a>${NAME})! Say hello\\.$`,
  `^(?<a>${NAME}) added (?<b>${NAME}) to the channel\\.$`,
  `^(?<a>${NAME}) left the channel\\.$`,
  `^(?<a>${NAME}) renamed the channel to “`,
  `^Missed call from (?<a>${NAME})\\.$`,
  `^(?<a>${NAME}) made this channel\\.$`,
  `^(?<a>${NAME}) removed (?<b>${NAME}) from the channel\\.$`,
  `^(?<a>${NAME}) set the topic: `,
  `^(?<a>${NAME}) took the topic away\\.$`,
  `^(?<a>${NAME}) made this channel read-only\\.$`,
  `^(?<a>${NAME}) lets everybody write again\\.$`,
  `^(?<a>${NAME}) archived this channel\\.$`,
  `^(?<a>${NAME}) brought this channel back\\.$`,
].map(form => new RegExp(form, 'd'))
