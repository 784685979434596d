import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import {
  HookCallPayload,
  IncomingHookPayload,
  MadeIncomingHookPayload,
  TriedHookPayload,
} from '#shared/domain/payloads/hooks.ts'
import { isAdmin, type Role } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Fitting } from '#shared/stores/first-that-fit.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf, viewingPerson } from '../middleware/administration.ts'
import { jsonBody, jsonObject } from '../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { originForOthers } from '../middleware/origin.ts'
import { tellNext } from '../middleware/paging.ts'
import { callsOf } from './calls.ts'
import { changeHook, makeSignSecret, removeHook, renewAddress } from './change-hook.ts'
import { hookForChange } from './locked-hook.ts'
import { makeHook } from './make-hook.ts'
import { type HookRow, readHooks } from './queries.ts'
import { isSignSecret } from './secret-texts.ts'
import { tryHook } from './try-hook.ts'

const LONGEST_NAME = 80
const LONGEST_TEMPLATE = 2_000
const LONGEST_TRY = 256 * 1_024

const RIGHTS = { may_choose_channel: f.flag, may_mention_everyone: f.flag }
const name = f.needed(f.line(LONGEST_NAME))

const HOOK = f.fields({
  name,
  channel: f.exactText,
  bot: f.mayBeNull(f.exactText),
  template: f.text(LONGEST_TEMPLATE),
  ...RIGHTS,
  client_id: f.clientId,
})

const CHANGE = f.fields({
  name: v.exactOptional(name),
  channel: v.exactOptional(f.exactText),
  template: f.text(LONGEST_TEMPLATE),
  disabled: f.flag,
  ...RIGHTS,
  sign_secret: v.exactOptional(v.null(f.invalid('null'))),
})

const NO_SECRET = f.invalid('text of 8 to 200 characters in one line')

/** Trimmed, since pasted text ends with a line break. */
const SECRET = f.fields({
  secret: v.exactOptional(v.pipe(v.string(NO_SECRET), v.trim(), v.check(isSignSecret, NO_SECRET))),
})

const TRY = f.fields({
  headers: v.optional(
    v.record(v.string(), v.string(f.invalid('an object of texts')), f.invalid('an object of texts')),
    {},
  ),
  body: v.pipe(v.string(f.REQUIRED), v.maxLength(LONGEST_TRY, f.tooLong(LONGEST_TRY))),
})

const LIST = f.fields({
  channel: v.exactOptional(f.exactText),
  cursor: f.cursor(v.pipe(v.number(), v.safeInteger())),
})

/** Interface 19.4. */
export const hookEndpoints = [
  endpoint(
    'POST /hooks_in',
    {
      summary: 'Makes an incoming hook.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      body: jsonObject(HOOK),
      answers: { 201: payload(MadeIncomingHookPayload) },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, config, req, res, body }) => {
      const made = await makeHook(stores, originForOthers(req, config), actorOf(req), body)
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'GET /hooks_in',
    {
      summary: 'Lists the incoming hooks, of a channel or of the person.',
      who: 'signed in',
      within: 'list',
      errors: 'named',
      query: LIST,
      answers: { 200: payload(v.array(IncomingHookPayload)) },
      fails: [400, 404],
    },
    async ({ stores, req, res, query }) => {
      const { username, role } = await viewingPerson(stores, req)
      const { items, more } = await listHooks(stores, username, role, query)
      if (more) tellNext(res, items.at(-1)!.id)
      return items
    },
  ),

  endpoint(
    'GET /hooks_in/:id/calls',
    {
      summary: 'Lists the last requests to the address of an incoming hook.',
      who: 'signed in',
      scope: 'none',
      errors: 'named',
      answers: { 200: payload(v.array(HookCallPayload)) },
      fails: [403, 404],
    },
    async ({ stores, viewer, params }) => callsOf(stores, await hookForChange(stores, viewer, params.id)),
  ),

  endpoint(
    'PATCH /hooks_in/:id',
    {
      summary: 'Changes an incoming hook.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      body: jsonObject(CHANGE),
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, viewer, params, body }) => {
      await hookForChange(stores, viewer, params.id)
      if (Object.keys(body).length === 0) throw errors.missing('name, channel, template, disabled or a right')
      await changeHook(stores, actorOf(req), params.id, body)
    },
  ),

  endpoint(
    'POST /hooks_in/:id/new_token',
    {
      summary: 'Gives an incoming hook a new address.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 200: payload(v.strictObject({ url: v.string() })) },
      fails: [403, 404],
    },
    async ({ stores, config, req, params }) => ({
      url: await renewAddress(stores, originForOthers(req, config), actorOf(req), params.id),
    }),
  ),

  endpoint(
    'POST /hooks_in/:id/sign_secret',
    {
      summary: 'Gives an incoming hook a secret that signs its requests.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      body: jsonBody(SECRET),
      answers: { 200: payload(v.strictObject({ secret: v.string() })) },
      fails: [400, 403, 404],
    },
    async ({ stores, config, req, params, body }) => ({
      secret: await makeSignSecret(stores, config, actorOf(req), params.id, body.secret),
    }),
  ),

  endpoint(
    'DELETE /hooks_in/:id',
    {
      summary: 'Deletes an incoming hook.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, req, params }) => removeHook(stores, actorOf(req), params.id),
  ),

  endpoint(
    'POST /hooks_in/:id/try',
    {
      summary: 'Shows the message that a body would become.',
      who: 'signed in',
      scope: 'none',
      limit: ['other'],
      errors: 'named',
      // Before the body, as others have nothing to try.
      prepare: ({ stores, viewer, params }) => hookForChange(stores, viewer, String(params['id'])),
      body: jsonObject(TRY),
      answers: { 200: payload(TriedHookPayload) },
      fails: [400, 403, 404, 413],
    },
    ({ stores, body, ready }) => tryHook(stores, ready, body),
  ),
]

interface HookQuery {
  channel?: string
  cursor?: number
}

/** Hooks of a channel that the viewer reads; without one all for administrators, and the own ones for others. */
async function listHooks(
  stores: Stores,
  viewer: Username,
  role: Role,
  { channel: text, cursor }: HookQuery,
): Promise<Fitting<IncomingHookPayload>> {
  if (text === undefined) {
    const { items, more } = await readHooks(stores.db, isAdmin(role) ? 'all' : { maker: viewer }, cursor)
    return { items: items.map(row => payloadOf(row, true, true)), more }
  }
  const channel = await findReadableChannel(stores, viewer, text, { withManaging: true })
  if (!channel) throw errors.coded(404, 'not_found', 'There is no such channel.')
  const isMember = role !== 'guest'
  const mayChangeAll = isMember && (isAdmin(role) || channel.manages === true)
  const { items, more } = await readHooks(stores.db, { channel: channel.id }, cursor)
  const shown = (row: HookRow) =>
    payloadOf(row, isMember, mayChangeAll || (isMember && row.created_by === viewer))
  return { items: items.map(shown), more }
}

/** Guests are not told who made it; template and rights are for those who may change them. */
function payloadOf(row: HookRow, hasMaker: boolean, mayChange: boolean): IncomingHookPayload {
  const { created_by, template, may_choose_channel, may_mention_everyone, ...rest } = row
  return {
    ...rest,
    ...(hasMaker && { created_by }),
    ...(mayChange && { template, may_choose_channel, may_mention_everyone }),
  }
}
