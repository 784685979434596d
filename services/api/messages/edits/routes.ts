import * as v from 'valibot'
import { readableMessage } from '#shared/access/readable-message.ts'
import { EditPayload } from '#shared/domain/payloads/messages.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { endpoint, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { tellNext } from '../../middleware/paging.ts'
import { readVersions } from './queries.ts'

const PAGE = f.fields({ cursor: f.cursor(v.pipe(v.number(), v.finite())) })

/** Interface 11.7. */
export const editsEndpoints = [
  endpoint(
    'GET /message/:id/edits',
    {
      summary: 'Lists the versions of an edited message.',
      who: 'member',
      within: 'message',
      query: PAGE,
      answers: { 200: payload(v.array(EditPayload)) },
      fails: [400, 404],
    },
    async call => {
      const { stores, res, viewer, params } = call
      const message = await readableMessage(stores, viewer, params.id)
      if (message.deleted === 1) throw errors.notFound()
      // Versions from before the setting was turned off are removed at night.
      const { keep_edits: isKept } = stores.settings.current
      const before = call.query.cursor
      const { items, more } = await readVersions(stores.db, message.id, { before, withEarlier: isKept })
      if (more) tellNext(res, items[0]!.ts)
      return items satisfies EditPayload[]
    },
  ),
]
