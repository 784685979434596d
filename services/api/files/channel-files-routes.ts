import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { FILE_KINDS } from '#shared/domain/file-types.ts'
import type { ChannelFilesPayload } from '#shared/domain/payloads/files.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import { isStatementTimeout } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import { endpoint, payload } from '../middleware/endpoint.ts'
import { cursorText, pageCursor, pageLimit, wordIn, wordsIn } from '../middleware/paging.ts'
import { channelFiles, countFiles, type FilesFilter } from './channel-files.ts'

const STATEMENT: Milliseconds = 3_000

/** Files of a channel, newest first (interface 13.1). */
export const channelFilesEndpoints = [
  endpoint(
    'GET /channel_files/:channel',
    {
      who: 'member',
      limit: ['search'],
      answers: { 200: payload<ChannelFilesPayload>('ChannelFilesPayload') },
      fails: [400, 404, 503],
    },
    async ({ stores, req, viewer, params }) => {
      const limit = pageLimit(req.query)
      const filter: FilesFilter = {
        kind: wordIn('type', FILE_KINDS, req.query['type']),
        q: wordsIn('q', req.query['q']),
        sender: wordsIn('sender', req.query['sender']),
        before: pageCursor(req.query, v.pipe(v.number(), v.finite())),
        limit: limit + 1,
      }
      const channel = await findReadableChannel(stores, viewer, params.channel)
      if (!channel) throw errors.notFound()
      const { kind, q, sender, before } = filter
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
