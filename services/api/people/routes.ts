import type { Request } from 'express'
import * as v from 'valibot'
import { payloadFor } from '#shared/collections/collection.ts'
import { people, readPeople } from '#shared/collections/people.ts'
import { AccountsPayload } from '#shared/domain/payloads/administration.ts'
import { PeopleChangesPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import { Seconds } from '#shared/domain/payloads/values.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Config } from '#shared/runtime/config.ts'
import { actorOf } from '../middleware/administration.ts'
import { jsonBody, jsonObject } from '../middleware/body-readers.ts'
import { checkConfirmed } from '../middleware/confirmed.ts'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { originForOthers } from '../middleware/origin.ts'
import { namesTag, sendValidated } from '../middleware/validated.ts'
import { deletePerson, endSessionsOf, personNamed, resetLinkFor } from './act-on-account.ts'
import { changePerson } from './change-person.ts'
import { approve, deactivate, reactivate, reject } from './change-state.ts'
import { createPerson } from './create-person.ts'
import { ACCOUNTS, listAccounts } from './list-accounts.ts'
import { DELETION, PERSON } from './person-fields.ts'
import { requestRename } from './rename.ts'

const NO_REVISION = f.invalid('a revision')
const revision = v.pipe(v.string(NO_REVISION), v.regex(/^\d{1,16}$/, NO_REVISION), v.transform(Number))

const username = v.string(f.REQUIRED)
const { role, ...details } = PERSON

/** Interface 15.1. */
export const peopleEndpoints = [
  endpoint(
    'GET /people',
    {
      summary: 'Lists the accounts that the person may see, with names and titles.',
      who: 'signed in',
      within: 'anywhere',
      query: f.fields({ since: v.exactOptional(revision) }),
      answers: { 200: payload(PeoplePayload), 304: nothing },
      fails: [400],
    },
    async ({ stores, req, res, viewer, query: { since } }) => {
      const { isForGuest, ended, ...found } = await readPeople(stores, viewer, since)
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
    {
      summary: 'Lists the latest changes among the accounts.',
      who: 'signed in',
      within: 'anywhere',
      answers: { 200: payload(PeopleChangesPayload) },
    },
    async ({ stores, viewer }) => payloadFor(people, stores, viewer),
  ),
]

/** Interface 17.3, behind `adminsOnly`. */
export const peopleAdministrationEndpoints = [
  endpoint(
    'GET /admin/people',
    {
      summary: 'Lists a page of the accounts, for administrators.',
      who: 'admin',
      query: ACCOUNTS,
      answers: { 200: payload(AccountsPayload) },
      fails: [400],
    },
    async ({ stores, query }) => listAccounts(stores, query),
  ),

  endpoint(
    'POST /admin/people',
    {
      summary: 'Makes an account for a person.',
      who: 'admin',
      limit: ['manage'],
      body: jsonObject(f.fields({ role, username, ...details, client_id: f.clientId })),
      answers: {
        201: payload(v.strictObject({ username: v.string(), reset_url: v.nullable(v.string()) })),
      },
      fails: [400, 403, 409],
    },
    async ({ stores, config, req, res, body }) => {
      const { role = 'member', username, channels, client_id: clientId, ...fields } = body
      if (isAdmin(role)) checkConfirmed(stores, req)
      const person = { username, role, channels: channels ?? [], fields, clientId }
      const token = await createPerson(stores, config, actorOf(req), person)
      res.status(201).json({ username, reset_url: token && resetUrl(config, req, token) })
    },
  ),

  endpoint(
    'PATCH /admin/people/:name',
    {
      summary: 'Changes the role, channels or details of an account.',
      who: 'admin',
      limit: ['manage'],
      body: jsonObject(f.fields(PERSON)),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, body: { role, channels, ...fields } }) => {
      if (role !== undefined) checkConfirmed(stores, req)
      const change = { role, channels: channels ?? undefined, fields }
      await changePerson(stores, actorOf(req), await personNamed(stores, nameIn(req)), change)
    },
  ),

  endpoint(
    'POST /admin/people/:name/approve',
    {
      summary: 'Approves an account that waits.',
      who: 'admin',
      limit: ['manage'],
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req }) => approve(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/reject',
    {
      summary: 'Rejects an account that waits.',
      who: 'admin',
      limit: ['manage'],
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req }) => reject(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/deactivate',
    {
      summary: 'Deactivates an account.',
      who: 'admin',
      limit: ['manage'],
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req }) => deactivate(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/reactivate',
    {
      summary: 'Reactivates an account.',
      who: 'admin',
      limit: ['manage'],
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req }) => reactivate(stores, actorOf(req), await personNamed(stores, nameIn(req))),
  ),

  endpoint(
    'POST /admin/people/:name/end_sessions',
    {
      summary: 'Ends all sessions of an account.',
      who: 'admin',
      limit: ['manage'],
      body: jsonBody(f.fields({ tokens: f.flag })),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, body: { tokens = false } }) =>
      endSessionsOf(stores, actorOf(req), await personNamed(stores, nameIn(req)), { tokens }),
  ),

  endpoint(
    'POST /admin/people/:name/reset_link',
    {
      summary: 'Makes a link for a new password.',
      who: 'admin',
      limit: ['manage'],
      isConfirmed: true,
      answers: {
        200: payload(v.strictObject({ reset_url: v.string(), expires_ts: Seconds })),
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
      summary: 'Renames an account.',
      who: 'admin',
      limit: ['manage'],
      isConfirmed: true,
      body: jsonObject(f.fields({ username })),
      answers: { 202: payload(v.strictObject({ job: v.string() })) },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, res, body: { username } }) => {
      const name = await personNamed(stores, nameIn(req))
      res.status(202).json({ job: await requestRename(stores, actorOf(req), name, username) })
    },
  ),

  endpoint(
    'POST /admin/people/:name/delete',
    {
      summary: 'Deletes an account.',
      who: 'admin',
      limit: ['manage'],
      isConfirmed: true,
      body: jsonObject(DELETION),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, body: { type } }) => {
      await deletePerson(stores, actorOf(req), await personNamed(stores, nameIn(req)), type)
    },
  ),
]

const nameIn = (req: Request) => String(req.params['name'])

const resetUrl = (config: Config, req: Request, token: string) =>
  new URL(`/reset-password/${token}`, originForOthers(req, config)).href
