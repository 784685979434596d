import type { DeliveryPayload, OutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

const COLUMNS = `hook.id, hook.name, hook.url, hook.format, hook.bot, hook.events, hook.channels, hook.triggers,
  hook.include_bots, hook.created_by, hook.created_ts, hook.active, hook.failing_since, hook.disabled_why`

export const MOST_HOOKS = 200

/** A page, newest first, of those of a maker, or of all; `before`: the last hook of the previous one. */
export async function readHooks(
  db: Db,
  maker: Username | undefined,
  before: number | undefined,
): Promise<Fitting<OutgoingHookPayload>> {
  const hooks = `
    select ${COLUMNS},
           800 + octet_length(concat(hook.name, hook.url, hook.channels::text, hook.triggers::text)) as bytes
      from hooks_out hook
     where ($1::text is null or hook.created_by = $1) and ($2::bigint is null or hook.id < $2)`
  const { rows } = await db.query<
    OutgoingHookPayload & { bytes: number; place: number; total: number; more: boolean }
  >(`${firstThatFit(hooks, 'id desc', '$3')} order by id desc`, [maker ?? null, before ?? null, MOST_HOOKS])
  return fittingOf(rows, ({ bytes, place, total, ...row }) => row)
}

export interface Sealed {
  secret_enc: Buffer
  verify_token_enc: Buffer
}

export type HookRow = OutgoingHookPayload & Sealed

export async function hookOf(db: Db, id: number, isLocked = false): Promise<HookRow | undefined> {
  const { rows } = await db.query<HookRow>(
    `select ${COLUMNS}, hook.secret_enc, hook.verify_token_enc
       from hooks_out hook where id = $1 ${isLocked ? 'for update' : ''}`,
    [id],
  )
  return rows[0]
}

export async function countHooks(tx: Db, maker: Username): Promise<{ own: number; all: number }> {
  const { rows } = await tx.query<{ own: number; all: number }>(
    `select count(*) filter (where created_by = $1)::integer as own, count(*)::integer as all from hooks_out`,
    [maker],
  )
  return rows[0]!
}

/** The id comes first, since the sealed values are bound to it. */
export async function nextId(tx: Db): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('hooks_out', 'id')) as id`,
  )
  return Number(rows[0]!.id)
}

export type NewHook = Omit<HookRow, 'active' | 'failing_since' | 'disabled_why'>

export async function insertHook(tx: Db, hook: NewHook): Promise<void> {
  await tx.query(
    `insert into hooks_out (id, name, url, format, secret_enc, verify_token_enc, bot, events, channels, triggers,
                            include_bots, created_by, created_ts)
     overriding system value
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      hook.id,
      hook.name,
      hook.url,
      hook.format,
      hook.secret_enc,
      hook.verify_token_enc,
      hook.bot,
      hook.events,
      hook.channels,
      hook.triggers,
      hook.include_bots,
      hook.created_by,
      hook.created_ts,
    ],
  )
}

/** A hook that is enabled begins anew. */
export async function updateHook(tx: Db, hook: OutgoingHookPayload): Promise<void> {
  await tx.query(
    `update hooks_out
        set name = $2, url = $3, format = $4, bot = $5, events = $6, channels = $7, triggers = $8, include_bots = $9,
            active = $10,
            failing_since = case when $10 and not active then null else failing_since end,
            disabled_why = case when $10 then null else disabled_why end
      where id = $1`,
    [
      hook.id,
      hook.name,
      hook.url,
      hook.format,
      hook.bot,
      hook.events,
      hook.channels,
      hook.triggers,
      hook.include_bots,
      hook.active,
    ],
  )
}

export async function replaceSecret(
  tx: Db,
  id: number,
  { secret, old, until }: { secret: Buffer; old: Buffer | null; until: Seconds },
): Promise<void> {
  await tx.query('update hooks_out set secret_enc = $2, old_secret_enc = $3, old_until = $4 where id = $1', [
    id,
    secret,
    old,
    until,
  ])
}

/** Its deliveries go with a task of the janitor. */
export async function deleteHook(tx: Db, id: number): Promise<void> {
  await tx.query('delete from hooks_out where id = $1', [id])
}

export interface DeliveryPage {
  hook: number
  state: string | undefined
  /** Id of the last delivery of the previous page. */
  after: string | undefined
  limit: number
}

/** Newest first. */
export async function pageOfDeliveries(db: Db, page: DeliveryPage): Promise<Fitting<DeliveryPayload>> {
  const deliveries = `
    select id, event ->> 'type' as event, state, attempt, last_status, last_error, last_ms, created_ts, next_try_ts,
           done_ts, 400 as bytes
      from deliveries
     where target_id = $1 and ($2::text is null or state = $2)
       and ($3::uuid is null
            or (created_ts, id) < (select last.created_ts, last.id from deliveries last where last.id = $3))`
  const order = 'created_ts desc, id desc'
  const { rows } = await db.query<DeliveryPayload & { more: boolean }>(
    `select id, event, state, attempt, last_status, last_error, last_ms, created_ts, next_try_ts, done_ts, more
       from (${firstThatFit(deliveries, order, '$4')}) delivery
      order by ${order}`,
    [page.hook, page.state ?? null, page.after ?? null, page.limit],
  )
  return fittingOf(rows, row => row)
}

export async function hookOfDelivery(db: Db, id: string): Promise<number | undefined> {
  const { rows } = await db.query<{ target_id: number }>('select target_id from deliveries where id = $1', [
    id,
  ])
  return rows[0]?.target_id
}

/** Makes a delivery due now, for a last try; while it is being sent it stays as it is. */
export async function tryAgain(tx: Db, id: string, now: Seconds, lastTry: number): Promise<void> {
  await tx.query(
    `update deliveries
        set state = 'waiting', next_try_ts = $2, done_ts = null,
            attempt = case when state = 'waiting' then attempt else $3 end
      where id = $1 and leased_until is null`,
    [id, now, lastTry],
  )
}
