import type { Request } from 'express'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { idFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { wordsIn } from '../middleware/paging.ts'

/** An item of GET /admin/audit (interface 17.4). */
export interface AuditPayload {
  id: number
  ts: Seconds
  actor: string
  actor_kind: string
  action: string
  target: string | null
  channel: ChannelId | null
  detail: Record<string, unknown>
  address: string | null
}

export interface AuditFilter {
  /** In any case, as `target`. */
  actor: string | undefined
  /** `person.role`, or `person` for all that begin with `person.`. */
  action: string | undefined
  target: string | undefined
  from: Seconds | undefined
  to: Seconds | undefined
}

/** The last entry of the previous page. */
export interface AuditCursor {
  ts: Seconds
  id: number
}

export function auditFilterIn(query: Request['query']): AuditFilter {
  return {
    actor: wordsIn('actor', query['actor']),
    action: wordsIn('action', query['action']),
    target: wordsIn('target', query['target']),
    from: timeIn('from', query['from']),
    to: timeIn('to', query['to']),
  }
}

function timeIn(field: string, value: unknown): Seconds | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || !/^\d{1,12}(\.\d{1,9})?$/.test(value))
    throw errors.invalid(`${field} must be a time in seconds`)
  return Number(value)
}

export function auditCursorIn(value: unknown): AuditCursor | undefined {
  if (value === undefined) return undefined
  const [, time, digits] =
    /^(\d{1,12}(?:\.\d{1,9})?)_(\d{1,16})$/.exec(typeof value === 'string' ? value : '') ?? []
  const id = idFrom(digits)
  if (time === undefined || id === undefined) throw errors.invalid('cursor must be that of a page')
  return { ts: Number(time), id }
}

export const auditCursorOf = ({ ts, id }: AuditCursor): string => `${ts}_${id}`

/** Entries before the cursor, newest first. */
export async function readAudit(
  db: Db,
  { actor, action, target, from, to }: AuditFilter,
  cursor: AuditCursor | undefined,
  limit: number,
): Promise<Fitting<AuditPayload>> {
  const entries = `
    select id as entry, ts as at, 300 + octet_length(detail::text) as bytes
      from audit_log
     where ($1::text is null or lower(actor) = lower($1))
       and ($2::text is null or action = $2 or starts_with(action, $2 || '.'))
       and ($3::text is null or lower(target) = lower($3))
       and ($4::double precision is null or ts >= $4)
       and ($5::double precision is null or ts < $5)
       and ($6::double precision is null or (ts, id) < ($6, $7::bigint))`
  const { rows } = await db.query<AuditPayload & { more: boolean }>(
    `with page as materialized (${firstThatFit(entries, 'at desc, entry desc', '$8')})
     select id, ts, actor, actor_kind, action, target, channel, detail, host(address) as address, more
       from page join audit_log on audit_log.id = page.entry
      order by ts desc, id desc`,
    [actor, action, target, from, to, cursor?.ts, cursor?.id, limit].map(value => value ?? null),
  )
  return fittingOf(rows, row => row)
}
