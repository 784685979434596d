import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import {
  AdminChannelsPayload,
  AuditPayload,
  BackupsPayload,
  StatsPayload,
} from '#shared/domain/payloads/administration.ts'
import { type Page, pageOf } from '#shared/domain/payloads/page.ts'
import { wholeNumber } from '#shared/domain/payloads/values.ts'
import { log } from '#shared/runtime/log.ts'
import { actorOf } from '../middleware/administration.ts'
import { longReadsAtOnce } from '../middleware/at-once.ts'
import { content, endpoint, payload } from '../middleware/endpoint.ts'
import { perStores } from '../middleware/per-stores.ts'
import { withinTime } from '../middleware/within-time.ts'
import { auditCsv } from './audit-csv.ts'
import { askForBackup, listBackups } from './backups.ts'
import { CHANNELS_PAGE, listChannels } from './list-channels.ts'
import { AUDIT_FILTER, AUDIT_PAGE, auditCursorOf, readAudit } from './read-audit.ts'
import { statsReader } from './stats.ts'

const UNLISTED = 'The list of channels takes too long. Try again when the server is less busy.'
const readStats = perStores(statsReader)

/** Interface 17.4, behind `adminsOnly`. */
export const administrationEndpoints = [
  endpoint(
    'GET /admin/audit',
    {
      summary: 'Lists a page of the audit log.',
      who: 'admin',
      query: AUDIT_PAGE,
      answers: { 200: payload(pageOf(AuditPayload)) },
      fails: [400],
    },
    async ({ stores, query: { limit, cursor, ...filter } }) => {
      const { items, more } = await readAudit(stores.db, filter, cursor, limit)
      const next = more ? auditCursorOf(items.at(-1)!) : null
      return { items, next } satisfies Page<AuditPayload>
    },
  ),

  endpoint(
    'GET /admin/audit.csv',
    {
      summary: 'Gives the audit log as CSV.',
      who: 'admin',
      limit: ['search'],
      query: AUDIT_FILTER,
      answers: { 200: content('text/csv', 'the entries') },
      fails: [400],
    },
    async ({ stores, res, query: filter }) => {
      res.type('text/csv').attachment('audit.csv')
      await pipeline(Readable.from(auditCsv(stores, filter)), res).catch(err =>
        log.info({ err }, 'audit log not read to its end'),
      )
    },
  ),

  endpoint(
    'GET /admin/channels',
    {
      summary: 'Lists a page of all channels, for administrators.',
      who: 'admin',
      limit: ['search'],
      query: CHANNELS_PAGE,
      answers: { 200: payload(AdminChannelsPayload) },
      fails: [400, 503],
    },
    async ({ stores, viewer, query: filter }) => {
      const list = () => withinTime(stores, UNLISTED, limited => listChannels(limited, filter))
      return await longReadsAtOnce(stores)(viewer, list)
    },
  ),

  endpoint(
    'GET /admin/stats',
    {
      summary: 'Gives the numbers of the workspace.',
      who: 'admin',
      answers: { 200: payload(StatsPayload) },
    },
    async ({ stores }) => readStats(stores)(),
  ),

  endpoint(
    'GET /admin/backups',
    {
      summary: 'Lists the backups of the server.',
      who: 'owner',
      answers: {
        200: payload(BackupsPayload),
      },
    },
    async ({ stores }) => listBackups(stores),
  ),

  endpoint(
    'POST /admin/backups',
    {
      summary: 'Starts a backup.',
      who: 'owner',
      limit: [['manage', 400]],
      isConfirmed: true,
      answers: { 202: payload(v.strictObject({ id: wholeNumber })) },
      fails: [403, 409],
    },
    async ({ stores, req, res }) => {
      res.status(202).json(await askForBackup(stores, actorOf(req)))
    },
  ),
]
