import { visibleText } from '#shared/domain/one-line.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { bodyOf, textIn } from '../../middleware/coded-fields.ts'
import { endpoint, payload } from '../../middleware/endpoint.ts'
import { freeSpace } from '../../middleware/free-space.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { perStores } from '../../middleware/per-stores.ts'
import { forward } from './forward.ts'

const room = perStores(freeSpace)

/** Interface 11.1. */
export const forwardEndpoints = [
  endpoint(
    'POST /forward/:id',
    {
      who: 'member',
      limit: ['send'],
      body: jsonBody(),
      answers: { 201: payload<{ id: number }>('{ id: number }') },
      fails: [400, 403, 404, 409, 413],
    },
    async ({ stores, req, res, viewer, params }) => {
      const body = bodyOf(req)
      const channel = textIn(body, 'channel')
      if (channel === undefined || channel === null) throw errors.missing('channel')
      const sent = await forward(
        stores,
        viewer,
        {
          id: params.id,
          channel,
          comment: visibleText(textIn(body, 'text') ?? ''),
          clientId: onceIdIn(body['client_id']),
        },
        room(stores),
      )
      res.status(201).json({ id: sent.id })
    },
  ),
]
