import * as v from 'valibot'
import { visibleText } from '#shared/domain/one-line.ts'
import { wholeNumber } from '#shared/domain/payloads/values.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { freeSpace } from '../../middleware/free-space.ts'
import { perStores } from '../../middleware/per-stores.ts'
import { forward } from './forward.ts'

const room = perStores(freeSpace)

/** Interface 11.1. */
export const forwardEndpoints = [
  endpoint(
    'POST /forward/:id',
    {
      summary: 'Forwards a message to another channel.',
      who: 'member',
      limit: ['send'],
      body: jsonBody(f.fields({ channel: f.needed(f.text()), text: f.text(), client_id: f.clientId })),
      answers: { 201: payload(v.strictObject({ id: wholeNumber })) },
      fails: [400, 403, 404, 409, 413],
    },
    async ({ stores, res, viewer, params: { id }, body: { channel, text, client_id: clientId } }) => {
      const wish = { id, channel, comment: visibleText(text ?? ''), clientId }
      const sent = await forward(stores, viewer, wish, room(stores))
      res.status(201).json({ id: sent.id })
    },
  ),
]
