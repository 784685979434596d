import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RequestHandler, Router } from 'express'
import type { Page } from '#shared/domain/payloads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf, viewingPerson } from '../middleware/administration.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import { confirmed } from '../middleware/confirmed.ts'
import { pageLimit } from '../middleware/paging.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { withinTime } from '../middleware/within-time.ts'
import { auditCsv } from './audit-csv.ts'
import { askForBackup, listBackups } from './backups.ts'
import { channelFilterIn, listChannels } from './list-channels.ts'
import { type AuditPayload, auditCursorIn, auditCursorOf, auditFilterIn, readAudit } from './read-audit.ts'
import { statsReader } from './stats.ts'

const UNLISTED = 'The list of channels takes too long. Try again when the server is less busy.'

/** Interface 10.23, behind `adminsOnly`. */
export function administrationRoutes(stores: Stores): Router {
  const routes = Router()
  const readStats = statsReader(stores)
  const listsAtOnce = longReadsAtOnce(stores)

  routes.get('/admin/audit', async (req, res) => {
    const limit = pageLimit(req.query)
    const cursor = auditCursorIn(req.query['cursor'])
    const { items, more } = await readAudit(stores.db, auditFilterIn(req.query), cursor, limit)
    const next = more ? auditCursorOf(items.at(-1)!) : null
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
    const list = () => withinTime(stores, UNLISTED, limited => listChannels(limited, filter))
    res.json(await listsAtOnce(viewerOf(req), list))
  })

  routes.get('/admin/stats', async (_req, res) => {
    res.json(await readStats())
  })

  routes.get('/admin/backups', ownersOnly(stores), async (_req, res) => {
    res.json(await listBackups(stores))
  })

  routes.post('/admin/backups', ownersOnly(stores), confirmed(stores), async (req, res) => {
    res.status(202).json(await askForBackup(stores, actorOf(req)))
  })

  return routes
}

const ownersOnly =
  (stores: Stores): RequestHandler =>
  async (req, _res, next) => {
    const { role } = await viewingPerson(stores, req)
    if (role !== 'owner') throw errors.coded(403, 'forbidden', 'Only owners may do this.')
    next()
  }
