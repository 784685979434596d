import * as v from 'valibot'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { ChannelDaysPayload } from '#shared/domain/payloads/channels.ts'
import { daysOfMonth, type Span } from '#shared/domain/search-dates.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import { isStatementTimeout } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { longReadsAtOnce } from '../../middleware/at-once.ts'
import { endpoint, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { timeZoneFor } from '../../middleware/time-zone.ts'
import { countsWithin, endsOf } from './queries.ts'

/** Deleted messages are read and not counted: a day of them has no other bound. */
const STATEMENT: Milliseconds = 3_000

/** Interface 12.3. */
export const channelDaysEndpoints = [
  endpoint(
    'GET /channel_days/:channel',
    {
      summary: 'Lists the days of a month on which a channel has messages.',
      who: 'member',
      limit: ['search'],
      query: f.fields({ month: v.string(f.REQUIRED), tz: f.timeZone }),
      answers: { 200: payload(ChannelDaysPayload) },
      fails: [400, 404, 503],
    },
    async ({ stores, viewer, params, query: { month, tz } }) => {
      const spans = daysOfMonth(month, await timeZoneFor(stores, viewer, tz))
      if (!spans) throw errors.invalid('month must be a month such as 2026-03')
      const channel = await findReadableChannel(stores, viewer, params.channel)
      if (!channel) throw errors.notFound()
      return await longReadsAtOnce(stores)(viewer, () => read(stores, channel, spans))
    },
  ),
]

async function read(
  stores: Stores,
  channel: ReadableChannel,
  spans: readonly Span[],
): Promise<ChannelDaysPayload> {
  try {
    return await inTransaction(
      stores.pool,
      async tx => {
        const counts = await countsWithin(tx, channel, spans)
        const days: ChannelDaysPayload['days'] = {}
        for (const [at, count] of counts.entries()) if (count > 0) days[at + 1] = count
        return { days, ...(await endsOf(tx, channel)) }
      },
      { statement: STATEMENT },
    )
  } catch (err) {
    if (!isStatementTimeout(err)) throw err
    throw errors.coded(503, 'unavailable', 'The days of this month take too long to count.')
  }
}
