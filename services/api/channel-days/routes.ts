import { Router } from 'express'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { ChannelDaysPayload } from '#shared/domain/payloads.ts'
import { daysOfMonth } from '#shared/domain/search-dates.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { errorsWithCode } from '../middleware/errors.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { timeZoneFor } from '../own-account/time-zone.ts'
import { countsWithin, endsOf } from './queries.ts'

/** Interface 10.34. */
export function channelDaysRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/channel_days', errorsWithCode)

  routes.get('/channel_days/:channel', async (req, res) => {
    const viewer = viewerOf(req)
    const { month } = req.query
    if (typeof month !== 'string') throw errors.missing('month')
    const spans = daysOfMonth(month, await timeZoneFor(stores, viewer, req.query['tz']))
    if (!spans) throw errors.invalid('month must be a month such as 2026-03')
    const channel = await findReadableChannel(stores, viewer, req.params.channel)
    if (!channel) throw errors.notFound()
    const counts = await countsWithin(stores.db, channel, spans)
    const days: ChannelDaysPayload['days'] = {}
    for (const [at, count] of counts.entries()) if (count > 0) days[at + 1] = count
    res.json({ days, ...(await endsOf(stores.db, channel)) } satisfies ChannelDaysPayload)
  })

  return routes
}
