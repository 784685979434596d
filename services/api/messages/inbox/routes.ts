import type { Request } from 'express'
import { FIRST_PAGE, type InboxFilter, readInbox } from '#shared/collections/inbox.ts'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import { INBOX_KINDS } from '#shared/domain/payloads/inbox.ts'
import { idFrom, type Seconds } from '#shared/domain/units.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { markItemsRead, type ReadItems } from './queries.ts'

/** Interface 14.2. */
export const inboxEndpoints = [
  endpoint(
    'GET /inbox',
    {
      who: 'signed in',
      answers: { 200: payload<InboxPayload | undefined>('InboxPayload | undefined') },
      fails: [400],
    },
    async ({ stores, req, viewer }) => (await readInbox(stores, [viewer], filterIn(req.query))).get(viewer),
  ),

  endpoint(
    'POST /inbox/read',
    { who: 'signed in', limit: ['other'], body: jsonBody(), answers: { 204: nothing }, fails: [400] },
    async ({ stores, req, viewer }) => {
      const items = itemsIn(req.body)
      await runStatement(stores, 'readInbox', { users: [viewer] }, async () =>
        (await markItemsRead(stores, viewer, items)) > 0 ? undefined : unchanged,
      )
    },
  ),
]

const LARGEST_PAGE = 200
const MOST_IDS = 200

function filterIn({ kind, unread, limit, cursor }: Request['query']): InboxFilter {
  return {
    kind: kind === undefined ? undefined : oneOf('kind', INBOX_KINDS, kind),
    unreadOnly: unread !== undefined && oneOf('unread', ['0', '1'], unread) === '1',
    limit: limitIn(limit),
    after: cursor === undefined ? undefined : cursorIn(cursor),
  }
}

function oneOf<T extends string>(field: string, values: readonly T[], value: unknown): T {
  const found = values.find(known => known === value)
  if (found === undefined) throw errors.coded(400, 'invalid', `${field} must be ${values.join(', ')}`)
  return found
}

function limitIn(value: unknown): number {
  if (value === undefined) return FIRST_PAGE
  const limit = idFrom(value)
  if (limit === undefined || limit > LARGEST_PAGE)
    throw errors.coded(400, 'invalid', `limit must be a number from 1 to ${LARGEST_PAGE}`)
  return limit
}

function cursorIn(value: unknown): { ts: Seconds; messageId: number } {
  const [, time, id] =
    /^(\d{1,12}(?:\.\d{1,9})?)_(\d{1,16})$/.exec(typeof value === 'string' ? value : '') ?? []
  const messageId = idFrom(id)
  if (time === undefined || messageId === undefined)
    throw errors.coded(400, 'invalid', 'cursor must be that of a page')
  return { ts: Number(time), messageId }
}

function itemsIn(body: unknown): ReadItems {
  const { ids, upto } = (typeof body === 'object' ? (body ?? {}) : {}) as { ids?: unknown; upto?: unknown }
  if (typeof upto === 'number' && Number.isFinite(upto)) return { upTo: upto }
  if (upto !== undefined) throw errors.coded(400, 'invalid', 'upto must be a time in seconds')
  if (ids === undefined) throw errors.coded(400, 'required', 'ids or upto required')
  const parsed = Array.isArray(ids) && ids.length <= MOST_IDS ? ids.map(idIn) : [undefined]
  if (parsed.includes(undefined))
    throw errors.coded(400, 'invalid', `ids must be at most ${MOST_IDS} ids of inbox items`)
  const all = parsed as { prefix: string; id: number }[]
  const of = (prefix: string) => all.filter(item => item.prefix === prefix).map(({ id }) => id)
  return { mentions: of('m'), activity: of(''), scheduled: of('s') }
}

function idIn(text: unknown): { prefix: string; id: number } | undefined {
  const [, prefix, digits] = /^([ms]?)([1-9]\d{0,15})$/.exec(typeof text === 'string' ? text : '') ?? []
  const id = idFrom(digits)
  return id === undefined ? undefined : { prefix: prefix ?? '', id }
}
