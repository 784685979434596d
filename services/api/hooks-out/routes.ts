import * as v from 'valibot'
import { OUTGOING_EVENTS } from '#shared/domain/outgoing-hooks.ts'
import {
  DeliveryPayload,
  MadeOutgoingHookPayload,
  OutgoingHookPayload,
  TestedHookPayload,
} from '#shared/domain/payloads/hooks-out.ts'
import { pageOf } from '#shared/domain/payloads/page.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { idFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { actorOf, viewingPerson } from '../middleware/administration.ts'
import { atOnce } from '../middleware/at-once.ts'
import { jsonObject } from '../middleware/body-readers.ts'
import { checkConfirmed } from '../middleware/confirmed.ts'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { tellNext } from '../middleware/paging.ts'
import { perStores } from '../middleware/per-stores.ts'
import { changeHook, type HookChange, removeHook, renewSecret, sendAgain } from './change-hook.ts'
import { noSuchHook, ownHook } from './locked-hook.ts'
import { makeHook } from './make-hook.ts'
import { pageOfDeliveries, readHooks } from './queries.ts'
import { testHook } from './test-hook.ts'

const LONGEST_NAME = 80
const MOST_CHANNELS = 50
const MOST_TRIGGERS = 20
const LONGEST_TRIGGER = 50
/** A hook fits a page. */
const MOST_TRIGGER_BYTES = 1_024

const isEvent = (value: unknown): value is string => (OUTGOING_EVENTS as readonly unknown[]).includes(value)
const isTrigger = (value: unknown): value is string =>
  typeof value === 'string' && /^[^\s\p{C}]+$/u.test(value) && f.isWithin(value, LONGEST_TRIGGER)
const isChannel = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed()

const name = f.needed(f.line(LONGEST_NAME))
const events = f.list(isEvent, `a list of ${OUTGOING_EVENTS.join(', ')}`, {
  least: 1,
  most: OUTGOING_EVENTS.length,
})
const LISTS = {
  channels: f.mayBeNull(
    f.list(isChannel, `a list of 1 to ${MOST_CHANNELS} channels`, { least: 1, most: MOST_CHANNELS }),
  ),
  triggers: f.mayBeNull(
    v.pipe(
      f.list(isTrigger, `a list of 1 to ${MOST_TRIGGERS} words of at most ${LONGEST_TRIGGER} characters`, {
        least: 1,
        most: MOST_TRIGGERS,
      }),
      v.check(
        words => Buffer.byteLength(words.join()) <= MOST_TRIGGER_BYTES,
        f.invalid(`words of at most ${MOST_TRIGGER_BYTES} bytes together`),
      ),
    ),
  ),
  include_bots: f.flag,
}
const FORMATS = ['standard', 'slack'] as const

const HOOK = f.fields({
  name,
  url: f.webAddress,
  format: f.choice(FORMATS),
  bot: f.mayBeNull(f.exactText),
  events,
  ...LISTS,
  client_id: f.clientId,
})

const CHANGE = f.fields({
  name: v.exactOptional(name),
  url: v.exactOptional(f.webAddress),
  format: f.choice(FORMATS),
  bot: v.exactOptional(f.exactText),
  events: v.exactOptional(events),
  ...LISTS,
  active: f.flag,
})

const LIST = f.fields({ cursor: f.cursor(v.pipe(v.number(), v.safeInteger())) })

const NO_CURSOR = f.invalid('that of a page')
const PAGE = f.fields({
  state: f.word(['waiting', 'sent', 'failed', 'gone']),
  limit: f.limit(),
  cursor: v.exactOptional(v.pipe(v.string(NO_CURSOR), v.uuid(NO_CURSOR))),
})

/** Tests of a person in a process: a silent receiver holds a place of the worker for ten seconds. */
const testsAtOnce = perStores(stores => atOnce(stores, 2))

/** Interface 19.5. */
export const outgoingHookEndpoints = [
  endpoint(
    'POST /hooks_out',
    {
      summary: 'Makes an outgoing hook.',
      who: 'signed in',
      limit: ['manage'],
      errors: 'named',
      isConfirmed: true,
      body: jsonObject(HOOK),
      answers: { 201: payload(MadeOutgoingHookPayload) },
      fails: [400, 403, 409],
    },
    async ({ stores, config, req, res, body }) => {
      const made = await makeHook(stores, config, actorOf(req), {
        name: body.name,
        url: body.url,
        format: body.format ?? 'standard',
        bot: body.bot ?? null,
        events: [...new Set(body.events)],
        channels: body.channels ?? null,
        triggers: body.triggers ?? null,
        includeBots: body.include_bots ?? false,
        clientId: body.client_id,
      })
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'GET /hooks_out',
    {
      summary: 'Lists the outgoing hooks.',
      who: 'signed in',
      scope: 'none',
      errors: 'named',
      query: LIST,
      answers: { 200: payload(v.array(OutgoingHookPayload)) },
      fails: [400],
    },
    async ({ stores, req, res, query: { cursor } }) => {
      const { username, role } = await viewingPerson(stores, req)
      const { items, more } = await readHooks(stores.db, isAdmin(role) ? undefined : username, cursor)
      if (more) tellNext(res, items.at(-1)!.id)
      return items
    },
  ),

  endpoint(
    'PATCH /hooks_out/:id',
    {
      summary: 'Changes an outgoing hook.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      body: jsonObject(CHANGE),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, viewer, params, body }) => {
      const id = idFrom(params.id)
      await ownHook(stores, viewer, id)
      if (Object.keys(body).length === 0) throw errors.missing('name, url, events or another field')
      await changeHook(stores, actorOf(req), id, body as HookChange, () => checkConfirmed(stores, req))
    },
  ),

  endpoint(
    'DELETE /hooks_out/:id',
    {
      summary: 'Deletes an outgoing hook.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [404],
    },
    ({ stores, req, params }) => removeHook(stores, actorOf(req), idFrom(params.id)),
  ),

  endpoint(
    'POST /hooks_out/:id/new_secret',
    {
      summary: 'Gives an outgoing hook a new secret.',
      who: 'signed in',
      limit: ['manage'],
      errors: 'named',
      isConfirmed: true,
      answers: { 200: payload(v.strictObject({ secret: v.string() })) },
      fails: [403, 404],
    },
    async ({ stores, config, req, params }) => ({
      secret: await renewSecret(stores, config, actorOf(req), idFrom(params.id)),
    }),
  ),

  endpoint(
    'POST /hooks_out/:id/test',
    {
      summary: 'Sends a test event through an outgoing hook.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 200: payload(TestedHookPayload) },
      fails: [404, 409],
    },
    async ({ stores, config, viewer, params }) =>
      testsAtOnce(stores)(viewer, async () =>
        testHook(stores, config, await ownHook(stores, viewer, idFrom(params.id))),
      ),
  ),

  endpoint(
    'GET /hooks_out/:id/deliveries',
    {
      summary: 'Lists a page of the deliveries of an outgoing hook.',
      who: 'signed in',
      scope: 'none',
      errors: 'named',
      query: PAGE,
      answers: { 200: payload(pageOf(DeliveryPayload)) },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, query: { state, limit, cursor: after } }) => {
      const { id: hook } = await ownHook(stores, viewer, idFrom(params.id))
      const { items, more } = await pageOfDeliveries(stores.db, { hook, state, after, limit })
      return { items, next: more ? items.at(-1)!.id : null }
    },
  ),

  endpoint(
    'POST /deliveries/:id/again',
    {
      summary: 'Sends a delivery once more.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [404, 409],
    },
    async ({ stores, req, params }) => {
      if (!v.is(v.pipe(v.string(), v.uuid()), params.id)) throw noSuchHook()
      await sendAgain(stores, actorOf(req), params.id)
    },
  ),
]
