import * as v from 'valibot'
import type { AuditPayload } from '#shared/domain/payloads/administration.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'
import * as f from '../middleware/fields.ts'

const NO_TIME = f.invalid('a time in seconds')
const time = v.exactOptional(
  v.pipe(
    v.string(NO_TIME),
    v.regex(/^(\d{1,12}(\.\d{1,9})?)?$/, NO_TIME),
    v.transform(text => (text === '' ? undefined : Number(text))),
  ),
)
const FILTER = {
  /** In any case, as `target`. */
  actor: f.words,
  /** `person.role`, or `person` for all that begin with `person.`. */
  action: f.words,
  target: f.words,
  from: time,
  to: time,
}
export const AUDIT_FILTER = f.fields(FILTER)
export const AUDIT_PAGE = f.fields({ limit: f.limit(), cursor: f.timeAndId, ...FILTER })
export type AuditFilter = v.InferOutput<typeof AUDIT_FILTER>

/** The last entry of the previous page. */
export interface AuditCursor {
  ts: Seconds
  id: number
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
