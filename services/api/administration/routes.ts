import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Router } from 'express'
import type { Page } from '#shared/domain/payloads.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import { pageLimit } from '../middleware/paging.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { auditCsv } from './audit-csv.ts'
import { channelFilterIn, listChannels } from './list-channels.ts'
import { type AuditPayload, auditCursorIn, auditCursorOf, auditFilterIn, readAudit } from './read-audit.ts'
import { statsReader } from './stats.ts'

/** Interface 10.23, behind `adminsOnly`. */
export function administrationRoutes(stores: Stores): Router {
  const routes = Router()
  const readStats = statsReader(stores)
  const listsAtOnce = longReadsAtOnce(stores)

  routes.get('/admin/audit', async (req, res) => {
    const limit = pageLimit(req.query)
    const cursor = auditCursorIn(req.query['cursor'])
    const found = await readAudit(stores.db, auditFilterIn(req.query), cursor, limit + 1)
    const items = found.slice(0, limit)
    const next = found.length > limit ? auditCursorOf(items.at(-1)!) : null
    res.json({ items, next } satisfies Page<AuditPayload>)
  })

  routes.get('/admin/audit.csv', async (req, res) => {
    const filter = auditFilterIn(req.query)
    res.type('text/csv').attachment('audit.csv')
    await pipeline(Readable.from(auditCsv(stores, filter)), res).catch(err =>
      log.info({ err }, 'audit log not read to its end'),
    )
  })

  routes.get('/admin/channels', async (req, res) => {
    const filter = channelFilterIn(req.query)
    res.json(await listsAtOnce(viewerOf(req), () => listChannels(stores, filter)))
  })

  routes.get('/admin/stats', async (_req, res) => {
    res.json(await readStats())
  })

  return routes
}
