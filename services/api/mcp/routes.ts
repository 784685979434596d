import type { RequestHandler } from 'express'
import * as v from 'valibot'
import { tokenIn, unauthorized } from '#shared/http/tokens.ts'
import { jsonObject } from '../middleware/body-readers.ts'
import { content, type Endpoint, endpoint, nothing } from '../middleware/endpoint.ts'
import { originForOthers } from '../middleware/origin.ts'
import { responseTo } from './server.ts'

/** A session counts for nothing here. */
const tokenNeeded: RequestHandler = (req, _res, next) => {
  if (!tokenIn(req)) throw unauthorized()
  next()
}

/** A message of JSON-RPC 2.0. Batches, which revision 2025-06-18 took out of the protocol, are refused. */
const MESSAGE = v.record(v.string(), v.unknown())

const RESPONSE = content('application/json', 'a response of JSON-RPC')
const REFUSAL = content('application/json', 'an error of JSON-RPC, or of this interface')

/** Interface 19.9. `mcpDoor` comes before it. */
export const mcpEndpoints: readonly Endpoint[] = [
  endpoint(
    'POST /mcp',
    {
      summary: 'Takes a message of the Model Context Protocol from an assistant.',
      who: 'anybody',
      errors: 'named',
      scope: 'read',
      // Each tool keeps to the channels of the token, and counts for its own limits.
      within: 'anywhere',
      limit: [],
      first: [tokenNeeded],
      body: jsonObject(MESSAGE),
      answers: { 200: RESPONSE, 202: nothing, 400: REFUSAL, 406: REFUSAL },
      fails: [401, 403, 404, 413],
    },
    async ({ stores, config, req, res, body }) => {
      const { username: viewer, scopes, channels } = tokenIn(req)!
      const origin = originForOthers(req, config)
      const { status, type, text } = await responseTo(body, {
        headers: req.headers,
        scopes,
        call: { stores, viewer, channels, origin },
      })
      res.status(status)
      if (text === '') res.end()
      else res.type(type).send(text)
    },
  ),
]
