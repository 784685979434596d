import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { FILE_KINDS } from '#shared/domain/file-types.ts'
import { ChannelFilesPayload } from '#shared/domain/payloads/files.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import { isStatementTimeout } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import { endpoint, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { cursorText } from '../middleware/paging.ts'
import { channelFiles, countFiles } from './channel-files.ts'

const STATEMENT: Milliseconds = 3_000

const PAGE = f.fields({
  limit: f.limit(),
  type: f.word(FILE_KINDS),
  q: f.words,
  sender: f.words,
  cursor: f.cursor(v.pipe(v.number(), v.finite())),
})

/** Files of a channel, newest first (interface 13.1). */
export const channelFilesEndpoints = [
  endpoint(
    'GET /channel_files/:channel',
    {
      summary: 'Lists a page of the files of a channel.',
      who: 'member',
      limit: ['search'],
      query: PAGE,
      answers: { 200: payload(ChannelFilesPayload) },
      fails: [400, 404, 503],
    },
    async ({ stores, viewer, params, query: { limit, type: kind, q, sender, cursor: before } }) => {
      const filter = { kind, q, sender, before, limit: limit + 1 }
      const channel = await findReadableChannel(stores, viewer, params.channel)
      if (!channel) throw errors.notFound()
      const isWhole = [kind, q, sender, before].every(value => value === undefined)
      const { found, total } = await longReadsAtOnce(stores)(viewer, () =>
        bounded(stores, async db => ({
          found: await channelFiles(db, channel, filter),
          total: isWhole ? await countFiles(db, channel) : undefined,
        })),
      )
      const items = found.slice(0, limit)
      const next = found.length > limit ? cursorText(items.at(-1)!.ts) : null
      return { items, next, ...(total !== undefined && { total }) } satisfies ChannelFilesPayload
    },
  ),
]

async function bounded<T>(stores: Stores, read: Parameters<typeof inTransaction<T>>[1]): Promise<T> {
  try {
    return await inTransaction(stores.pool, read, { statement: STATEMENT })
  } catch (err) {
    if (!isStatementTimeout(err)) throw err
    throw errors.coded(503, 'unavailable', 'This list takes too long. Narrow the type or the sender.')
  }
}
