import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

export const MOST_HOOKS = 500

/** A row of `hooks_in` without its secrets. */
export interface HookRow {
  id: number
  name: string
  bot: Username
  channel: ChannelId
  template: string | null
  may_choose_channel: boolean
  may_mention_everyone: boolean
  created_by: Username | null
  created_ts: Seconds
  last_used_ts: Seconds | null
  last_error: string | null
  uses: number
  disabled: boolean
  /** It takes signed bodies alone. */
  signed: boolean
}

const COLUMNS = `hook.id, hook.name, hook.bot, hook.channel, hook.template, hook.may_choose_channel,
  hook.may_mention_everyone, hook.created_by, hook.created_ts, hook.last_used_ts, hook.last_error,
  hook.uses, hook.disabled_ts is not null as disabled, hook.sign_secret_enc is not null as signed`

export interface NewHook {
  tokenHash: Buffer
  name: string
  bot: Username
  channel: ChannelId
  template: string | null
  mayChooseChannel: boolean
  mayMentionEveryone: boolean
  maker: Username
  now: Seconds
}

export async function insertHook(tx: Db, hook: NewHook): Promise<HookRow> {
  const { rows } = await tx.query<HookRow>(
    `insert into hooks_in as hook (token_hash, name, bot, channel, template, may_choose_channel, may_mention_everyone,
                                   created_by, created_ts)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     returning ${COLUMNS}`,
    [
      hook.tokenHash,
      hook.name,
      hook.bot,
      hook.channel,
      hook.template,
      hook.mayChooseChannel,
      hook.mayMentionEveryone,
      hook.maker,
      hook.now,
    ],
  )
  return rows[0]!
}

/** Numbers of hooks: those of a maker, and all. */
export async function countHooks(tx: Db, maker: Username): Promise<{ own: number; all: number }> {
  const { rows } = await tx.query<{ own: number; all: number }>(
    `select count(*) filter (where created_by = $1)::integer as own, count(*)::integer as all from hooks_in`,
    [maker],
  )
  return rows[0]!
}

/** A page, the newest first; `before`: the last hook of the previous one. There are at most MOST_HOOKS. */
export async function readHooks(
  db: Db,
  by: { channel: ChannelId } | { maker: Username } | 'all',
  before: number | undefined,
): Promise<Fitting<HookRow>> {
  const [column, value] =
    by === 'all' ? ['true', true] : 'channel' in by ? ['channel', by.channel] : ['created_by', by.maker]
  const hooks = `
    select ${COLUMNS}, 400 + octet_length(concat(hook.name, hook.template)) as bytes
      from hooks_in hook
     where ${column} = $1 and ($2::bigint is null or hook.id < $2)`
  const { rows } = await db.query<HookRow & { bytes: number; place: number; total: number; more: boolean }>(
    `${firstThatFit(hooks, 'id desc', '$3')} order by id desc`,
    [value, before ?? null, MOST_HOOKS],
  )
  return fittingOf(rows, ({ bytes, place, total, ...row }) => row)
}

export async function hookOf(db: Db, id: number): Promise<HookRow | undefined> {
  const { rows } = await db.query<HookRow>(`select ${COLUMNS} from hooks_in hook where hook.id = $1`, [id])
  return rows[0]
}

export async function lockHook(tx: Db, id: number): Promise<HookRow | undefined> {
  const { rows } = await tx.query<HookRow>(
    `select ${COLUMNS} from hooks_in hook where hook.id = $1 for no key update`,
    [id],
  )
  return rows[0]
}

export type ChangedHook = Pick<
  HookRow,
  'id' | 'name' | 'channel' | 'template' | 'may_choose_channel' | 'may_mention_everyone' | 'disabled'
>

/** The time at which the hook was disabled stays while it is. */
export async function updateHook(tx: Db, hook: ChangedHook, now: Seconds): Promise<void> {
  await tx.query(
    `update hooks_in
        set name = $2, channel = $3, template = $4, may_choose_channel = $5, may_mention_everyone = $6,
            disabled_ts = case when $7 then coalesce(disabled_ts, $8) end
      where id = $1`,
    [
      hook.id,
      hook.name,
      hook.channel,
      hook.template,
      hook.may_choose_channel,
      hook.may_mention_everyone,
      hook.disabled,
      now,
    ],
  )
}

export async function setTokenHash(tx: Db, id: number, hash: Buffer): Promise<void> {
  await tx.query('update hooks_in set token_hash = $2 where id = $1', [id, hash])
}

/** Null: the hook takes bodies without a signature. */
export async function setSignSecret(tx: Db, id: number, sealed: Buffer | null): Promise<void> {
  await tx.query('update hooks_in set sign_secret_enc = $2 where id = $1', [id, sealed])
}

export async function deleteHook(tx: Db, id: number): Promise<void> {
  await tx.query('delete from hooks_in where id = $1', [id])
}

/** A hook as its address finds it. */
export interface AddressedHook extends HookRow {
  sign_secret_enc: Buffer | null
  isBotActive: boolean
}

export async function hookOfToken(db: Db, hash: Buffer): Promise<AddressedHook | undefined> {
  const { rows } = await db.query<AddressedHook>(
    `select ${COLUMNS}, hook.sign_secret_enc, account.state = 'active' as "isBotActive"
       from hooks_in hook
       join users account on account.username = hook.bot
      where hook.token_hash = $1`,
    [hash],
  )
  return rows[0]
}

/** Those among these that are of hooks. */
export async function hashesOfHooks(db: Db, hashes: readonly Buffer[]): Promise<Buffer[]> {
  const { rows } = await db.query<{ token_hash: Buffer }>(
    'select token_hash from hooks_in where token_hash = any($1)',
    [hashes],
  )
  return rows.map(row => row.token_hash)
}

/** Unless another process changed it. */
export async function renewSignSecret(db: Db, id: number, from: Buffer, to: Buffer): Promise<void> {
  await db.query('update hooks_in set sign_secret_enc = $3 where id = $1 and sign_secret_enc = $2', [
    id,
    from,
    to,
  ])
}

export async function noteUse(db: Db, id: number, now: Seconds): Promise<void> {
  await db.query('update hooks_in set uses = uses + 1, last_used_ts = $2, last_error = null where id = $1', [
    id,
    now,
  ])
}

export async function noteRefusal(db: Db, id: number, code: string): Promise<void> {
  await db.query('update hooks_in set last_error = $2 where id = $1 and last_error is distinct from $2', [
    id,
    code,
  ])
}

export async function ownerOfBot(db: Db, bot: Username): Promise<Username | null | undefined> {
  const { rows } = await db.query<{ owner: Username | null }>(
    `select bot_owner as owner from users where username = $1 and kind = 'bot'`,
    [bot],
  )
  return rows[0]?.owner
}
