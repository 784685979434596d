import * as v from 'valibot'
import { FIRST_PAGE, readInbox } from '#shared/collections/inbox/inbox.ts'
import { INBOX_KINDS, InboxPayload } from '#shared/domain/payloads/inbox.ts'
import { idFrom } from '#shared/domain/units.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { markItemsRead, type ReadItems } from './queries.ts'

const MOST_IDS = 200
const NO_IDS = f.invalid(`at most ${MOST_IDS} ids of inbox items`)
const NO_TIME = f.invalid('a time in seconds')

const PAGE = f.fields({
  kind: f.word(INBOX_KINDS, ', '),
  unread: v.pipe(
    f.word(['0', '1'], ', '),
    v.transform(bit => bit === '1'),
  ),
  limit: f.limit(FIRST_PAGE),
  cursor: f.timeAndId,
})

const ITEMS = f.fields({
  upto: v.exactOptional(v.pipe(v.number(NO_TIME), v.finite(NO_TIME))),
  ids: v.exactOptional(
    v.pipe(
      v.array(v.unknown(), NO_IDS),
      v.maxLength(MOST_IDS, NO_IDS),
      v.transform(ids => ids.map(itemIn)),
      v.custom<Item[]>(items => !(items as unknown[]).includes(undefined), NO_IDS),
    ),
  ),
})

/** Interface 14.2. */
export const inboxEndpoints = [
  endpoint(
    'GET /inbox',
    {
      summary: 'Lists a page of the inbox of the person.',
      who: 'signed in',
      query: PAGE,
      answers: { 200: payload(InboxPayload) },
      fails: [400],
    },
    async ({ stores, viewer, query: { kind, unread: unreadOnly = false, limit, cursor } }) => {
      const after = cursor && { ts: cursor.ts, messageId: cursor.id }
      return (await readInbox(stores, [viewer], { kind, unreadOnly, limit, after })).get(viewer)
    },
  ),

  endpoint(
    'POST /inbox/read',
    {
      summary: 'Marks items of the inbox as read.',
      who: 'signed in',
      limit: ['other'],
      body: jsonBody(ITEMS),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, viewer, body }) => {
      const items = itemsIn(body)
      await runStatement(stores, 'readInbox', { users: [viewer] }, async () =>
        (await markItemsRead(stores, viewer, items)) > 0 ? undefined : unchanged,
      )
    },
  ),
]

function itemsIn({ ids, upto }: v.InferOutput<typeof ITEMS>): ReadItems {
  if (upto !== undefined) return { upTo: upto }
  if (ids === undefined) throw errors.missing('ids or upto')
  const of = (prefix: string) => ids.filter(item => item.prefix === prefix).map(({ id }) => id)
  return { mentions: of('m'), activity: of(''), scheduled: of('s'), answers: of('c') }
}

interface Item {
  prefix: string
  id: number
}

function itemIn(text: unknown): Item | undefined {
  const [, prefix, digits] = /^([msc]?)([1-9]\d{0,15})$/.exec(typeof text === 'string' ? text : '') ?? []
  const id = idFrom(digits)
  return id === undefined ? undefined : { prefix: prefix ?? '', id }
}
