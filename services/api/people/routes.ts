import { type Request, type RequestHandler, Router } from 'express'
import { payloadFor } from '#shared/collections/collection.ts'
import { people, readPeople } from '#shared/collections/people.ts'
import type { PeoplePayload } from '#shared/domain/payloads.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf } from '../middleware/administration.ts'
import { json } from '../middleware/bodies.ts'
import { confirmed } from '../middleware/confirmed.ts'
import { onceIdIn } from '../middleware/made-once.ts'
import { originForOthers } from '../middleware/origin.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { namesTag, sendValidated } from '../middleware/validated.ts'
import { deletePerson, endSessionsOf, personNamed, resetLinkFor } from './act-on-account.ts'
import { changePerson } from './change-person.ts'
import { approve, deactivate, reactivate, reject } from './change-state.ts'
import { createPerson } from './create-person.ts'
import { accountFieldsIn, channelsIn, deletionIn, objectIn, roleIn } from './fields-in.ts'
import { accountFilterIn, listAccounts } from './list-accounts.ts'
import { requestRename } from './rename.ts'

/** Interface 10.20. */
export function peopleRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/people', async (req, res) => {
    const { isForGuest, ended, ...found } = await readPeople(
      stores,
      viewerOf(req),
      sinceIn(req.query['since']),
    )
    const payload: PeoplePayload = found
    if (isForGuest) return sendValidated(req, res, payload)
    const etag = `"${payload.rev}-${payload.groups_rev}-${ended ?? 0}"`
    res.set('ETag', etag)
    if (namesTag(req.get('If-None-Match'), etag)) res.status(304).end()
    else res.json(payload)
  })

  routes.get('/people_changes', async (req, res) => {
    res.json(await payloadFor(people, stores, viewerOf(req)))
  })

  return routes
}

function sinceIn(value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^\d{1,16}$/.test(value)) throw errors.invalid('since must be a revision')
  return Number(value)
}

const ACTS = { approve, reject, deactivate, reactivate, end_sessions: endSessionsOf } as const

/** Interface 10.21, behind `adminsOnly`. */
export function peopleAdministrationRoutes(stores: Stores, config: Config): Router {
  const routes = Router()
  const confirm = confirmed(stores)
  const confirmIf =
    (isNeeded: (body: Record<string, unknown>) => boolean): RequestHandler =>
    (req, res, next) =>
      isNeeded(objectIn(req.body)) ? confirm(req, res, next) : next()

  routes.get('/admin/people', async (req, res) => {
    res.json(await listAccounts(stores, accountFilterIn(req.query)))
  })

  routes.post('/admin/people', json, confirmIf(makesAdmin), async (req, res) => {
    const body = objectIn(req.body)
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
  })

  routes.patch('/admin/people/:name', json, confirmIf(givesRole), async (req, res) => {
    const body = objectIn(req.body)
    const change = {
      role: roleIn(body['role']),
      channels: channelsIn(body['channels']),
      fields: accountFieldsIn(body),
    }
    await changePerson(stores, actorOf(req), await personNamed(stores, nameIn(req)), change)
    res.status(204).end()
  })

  for (const [verb, act] of Object.entries(ACTS)) {
    routes.post(`/admin/people/:name/${verb}`, async (req, res) => {
      await act(stores, actorOf(req), await personNamed(stores, nameIn(req)))
      res.status(204).end()
    })
  }

  routes.post('/admin/people/:name/reset_link', confirm, async (req, res) => {
    const { token, expires } = await resetLinkFor(
      stores,
      actorOf(req),
      await personNamed(stores, nameIn(req)),
    )
    res.json({ reset_url: resetUrl(config, req, token), expires_ts: expires })
  })

  routes.post('/admin/people/:name/rename', confirm, json, async (req, res) => {
    const { username } = objectIn(req.body)
    if (typeof username !== 'string') throw errors.missing('username')
    const name = await personNamed(stores, nameIn(req))
    res.status(202).json({ job: await requestRename(stores, actorOf(req), name, username) })
  })

  routes.post('/admin/people/:name/delete', confirm, json, async (req, res) => {
    const type = deletionIn(objectIn(req.body)['type'])
    await deletePerson(stores, actorOf(req), await personNamed(stores, nameIn(req)), type)
    res.status(204).end()
  })

  return routes
}

const givesRole = (body: Record<string, unknown>) => body['role'] !== undefined
const makesAdmin = (body: Record<string, unknown>) => isAdmin(roleIn(body['role']) ?? 'member')

const nameIn = (req: Request) => String(req.params['name'])

const resetUrl = (config: Config, req: Request, token: string) =>
  new URL(`/reset-password/${token}`, originForOthers(req, config)).href
