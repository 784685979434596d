import * as v from 'valibot'
import { personOf } from '#shared/access/person.ts'
import { pageOf } from '#shared/domain/payloads/page.ts'
import { AnybodysTokenPayload, MadeTokenPayload, TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { idFrom } from '#shared/domain/units.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { actorOf } from '../../middleware/administration.ts'
import { jsonObject } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { endToken } from './end-tokens.ts'
import { listTokens } from './list-tokens.ts'
import { makeToken, TOKEN } from './make-token.ts'
import { pageOfTokens } from './queries.ts'

const PAGE = f.fields({
  username: v.exactOptional(f.exactText),
  limit: f.limit(),
  cursor: f.idText('that of a page'),
})

/** Interface 19.2. */
export const tokenEndpoints = [
  endpoint(
    'POST /tokens',
    {
      summary: 'Makes a token of the person.',
      who: 'signed in',
      limit: [['manage', 60]],
      errors: 'named',
      isConfirmed: true,
      body: jsonObject(TOKEN),
      answers: { 201: payload(MadeTokenPayload) },
      fails: [400, 403, 409],
    },
    async ({ stores, req, res, body }) => {
      const made = await makeToken(stores, actorOf(req), req.sessionID, body)
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'GET /tokens',
    {
      summary: 'Lists the tokens of the person.',
      who: 'signed in',
      errors: 'named',
      answers: { 200: payload(v.array(TokenPayload)) },
    },
    ({ stores, viewer }) => listTokens(stores, viewer),
  ),

  endpoint(
    'DELETE /tokens/:id',
    {
      summary: 'Ends a token.',
      who: 'signed in',
      // Any token may end itself.
      scope: 'read',
      within: 'anywhere',
      limit: ['other'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, req, viewer, params }) => {
      const id = idFrom(params.id)
      if (id === undefined) throw errors.notFound()
      const token = tokenIn(req)
      const isWhole = token?.scopes.includes('write') && token.channels === null
      if (token && token.id !== id && !isWhole)
        throw errors.coded(403, 'forbidden', 'This token may end no other one.')
      await endToken(stores, actorOf(req), id, token && viewer)
    },
  ),

  endpoint(
    'GET /admin/tokens',
    {
      summary: 'Lists a page of the tokens of everybody.',
      who: 'admin',
      errors: 'named',
      query: PAGE,
      answers: { 200: payload(pageOf(AnybodysTokenPayload)) },
      fails: [400, 404],
    },
    async ({ stores, query: { username: name, limit, cursor: before } }) => {
      const person = name === undefined ? undefined : await personOf(stores.db, name)
      if (name !== undefined && !person)
        throw errors.coded(404, 'not_found', 'There is no person of that name.')
      const page = { username: person?.username, before, limit }
      const { items, more } = await pageOfTokens(stores.db, page, stores.clock.now())
      return { items, next: more ? String(items.at(-1)!.id) : null }
    },
  ),
]
