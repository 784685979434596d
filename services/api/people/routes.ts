import type { Request } from 'express'
import { payloadFor } from '#shared/collections/collection.ts'
import { people, readPeople } from '#shared/collections/people.ts'
import type { PeopleChangesPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { actorOf } from '../middleware/administration.ts'
import { jsonBody } from '../middleware/body-readers.ts'
import { checkConfirmed } from '../middleware/confirmed.ts'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import { onceIdIn } from '../middleware/made-once.ts'
import { originForOthers } from '../middleware/origin.ts'
import { namesTag, sendValidated } from '../middleware/validated.ts'
import { deletePerson, endSessionsOf, personNamed, resetLinkFor } from './act-on-account.ts'
import { changePerson } from './change-person.ts'
import { approve, deactivate, reactivate, reject } from './change-state.ts'
import { createPerson } from './create-person.ts'
import { accountFieldsIn, channelsIn, deletionIn, objectIn, roleIn } from './fields-in.ts'
import type { AccountPage } from './list-accounts.ts'
import { accountFilterIn, listAccounts } from './list-accounts.ts'
import { requestRename } from './rename.ts'

/** Interface 15.1. */
export const peopleEndpoints = [
  endpoint(
    'GET /people',
    {
      who: 'signed in',
      answers: { 200: payload<PeoplePayload>('PeoplePayload'), 304: nothing },
      fails: [400],
    },
    async ({ stores, req, res, viewer }) => {
      const { isForGuest, ended, ...found } = await readPeople(stores, viewer, sinceIn(req.query['since']))
      const payload: PeoplePayload = found
      if (isForGuest) return sendValidated(req, res, payload)
      const etag = `"${payload.rev}-${payload.groups_rev}-${ended ?? 0}"`
      res.set('ETag', etag)
      if (namesTag(req.get('If-None-Match'), etag)) res.status(304).end()
      else res.json(payload)
    },
  ),

  endpoint(
    'GET /people_changes',
    { who: 'signed in', answers: { 200: payload<PeopleChangesPayload>('PeopleChangesPayload') } },
    async ({ stores, viewer }) => payloadFor(people, stores, viewer),
  ),
]

function sinceIn(value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) throw errors.invalid('since must be a revision')
  return Number(value)
}

/** Interface 17.3, behind `adminsOnly`. */
export const peopleAdministrationEndpoints = [
  endpoint(
    'GET /admin/people',
    { who: 'admin', answers: { 200: payload<AccountPage>('AccountPage') }, fails: [400] },
    async ({ stores, req }) => listAccounts(stores, accountFilterIn(req.query)),
  ),

  endpoint(
    'POST /admin/people',
    {
      who: 'admin',
      limit: ['manage'],
      body: jsonBody(),
      answers: {
        201: payload<{ username: string; reset_url: string | null }>(
          '{ username: string; reset_url: string | null }',
        ),
      },
      fails: [400, 403, 409],
    },
    async ({ stores, config, req, res }) => {
      const body = objectIn(req.body)
      if (isAdmin(roleIn(body['role']) ?? 'member')) checkConfirmed(stores, req)
      const { username } = body
      if (typeof username !== 'string') throw errors.missing('username')
      const token = await createPerson(stores, config, actorOf(req), {
        username,
        role: roleIn(body['role']) ?? 'member',
        channels: channelsIn(body['channels']) ?? [],
        fields: accountFieldsIn(body),
        clientId: onceIdIn(body['client_id']),
      })
      res.status(201).json({ username, reset_url: token && resetUrl(config, req, token) })
    },
  ),

  endpoint(
    'PATCH /admin/people/:name',
    {
      who: 'admin',
      limit: ['manage'],
      body: jsonBody(),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req }) => {
      const body = objectIn(req.body)
      if (body['role'] !== undefined) checkConfirmed(stores, req)
      const change = {
        role: roleIn(body['role']),
        channels: channelsIn(body['channels']),
        fields: accountFieldsIn(body),
      }
      await changePerson(stores, actorOf(req), await personNamed(stores, nameIn(req)), change)
    },
  ),

  endpoint(
    'POST /admin/people/:name/approve',
    { who: 'admin', limit: ['manage'], answers: { 204: nothing }, fails: [400, 403, 404, 409] },
    async ({ stores, req }) => approve(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/reject',
    { who: 'admin', limit: ['manage'], answers: { 204: nothing }, fails: [400, 403, 404, 409] },
    async ({ stores, req }) => reject(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/deactivate',
    { who: 'admin', limit: ['manage'], answers: { 204: nothing }, fails: [400, 403, 404, 409] },
    async ({ stores, req }) => deactivate(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/reactivate',
    { who: 'admin', limit: ['manage'], answers: { 204: nothing }, fails: [400, 403, 404, 409] },
    async ({ stores, req }) => reactivate(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/end_sessions',
    { who: 'admin', limit: ['manage'], answers: { 204: nothing }, fails: [400, 403, 404, 409] },
    async ({ stores, req }) => endSessionsOf(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/reset_link',
    {
      who: 'admin',
      limit: ['manage'],
      isConfirmed: true,
      answers: {
        200: payload<{ reset_url: string; expires_ts: number }>('{ reset_url: string; expires_ts: number }'),
      },
      fails: [403, 404, 409],
    },
    async ({ stores, config, req }) => {
      const { token, expires } = await resetLinkFor(
        stores,
        actorOf(req),
        await personNamed(stores, nameIn(req)),
      )
      return { reset_url: resetUrl(config, req, token), expires_ts: expires }
    },
  ),

  endpoint(
    'POST /admin/people/:name/rename',
    {
      who: 'admin',
      limit: ['manage'],
      isConfirmed: true,
      body: jsonBody(),
      answers: { 202: payload<{ job: string }>('{ job: string }') },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, res }) => {
      const { username } = objectIn(req.body)
      if (typeof username !== 'string') throw errors.missing('username')
      const name = await personNamed(stores, nameIn(req))
      res.status(202).json({ job: await requestRename(stores, actorOf(req), name, username) })
    },
  ),

  endpoint(
    'POST /admin/people/:name/delete',
    {
      who: 'admin',
      limit: ['manage'],
      isConfirmed: true,
      body: jsonBody(),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req }) => {
      const type = deletionIn(objectIn(req.body)['type'])
      await deletePerson(stores, actorOf(req), await personNamed(stores, nameIn(req)), type)
    },
  ),
]

const nameIn = (req: Request) => String(req.params['name'])

const resetUrl = (config: Config, req: Request, token: string) =>
  new URL(`/reset-password/${token}`, originForOthers(req, config)).href
