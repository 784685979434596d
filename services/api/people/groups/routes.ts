import type { Request } from 'express'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import { isUsername } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { actorOf, viewingPerson } from '../../middleware/administration.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { type Body, bodyOf, lineIn, textIn } from '../../middleware/coded-fields.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { sendValidated } from '../../middleware/validated.ts'
import { changeGroup, type GroupChange } from './change.ts'
import { createGroup, type GroupDraft } from './create.ts'
import { noGuests } from './held-group.ts'
import { readGroups } from './queries.ts'
import { removeGroup } from './remove.ts'

const LONGEST_NAME = 80
const MOST_NAMES = 500

/** Interface 15.3. */
export const groupEndpoints = [
  endpoint(
    'GET /groups',
    {
      who: 'signed in',
      answers: { 200: payload<GroupPayload[]>('GroupPayload[]'), 304: nothing },
      fails: [403],
    },
    async ({ stores, req, res }) => {
      const { username, role } = await viewingPerson(stores, req)
      if (role === 'guest') throw noGuests()
      sendValidated(req, res, (await readGroups(stores.db, username)) satisfies GroupPayload[])
    },
  ),

  endpoint(
    'POST /groups',
    {
      who: 'signed in',
      limit: ['manage'],
      body: jsonBody(),
      answers: { 201: payload<{ handle: string }>('{ handle: string }') },
      fails: [400, 403, 409],
    },
    async ({ stores, req, res }) => {
      const { status, body } = await createGroup(stores, actorOf(req), draftIn(bodyOf(req)))
      res.status(status).json(body)
    },
  ),

  endpoint(
    'PATCH /groups/:handle',
    {
      who: 'signed in',
      limit: ['manage'],
      body: jsonBody(),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req }) => {
      await changeGroup(stores, actorOf(req), handleOf(req), changeIn(bodyOf(req)))
    },
  ),

  endpoint(
    'DELETE /groups/:handle',
    { who: 'signed in', limit: ['manage'], answers: { 204: nothing }, fails: [400, 403, 404] },
    async ({ stores, req }) => {
      await removeGroup(stores, actorOf(req), handleOf(req))
    },
  ),
]

/** Text that is no handle names no group; it may be text that PostgreSQL does not take. */
function handleOf(req: Request): string {
  const { handle } = req.params
  if (typeof handle !== 'string' || !isUsername(handle)) throw errors.notFound()
  return handle
}

function draftIn(body: Body): GroupDraft {
  const handle = textIn(body, 'handle')
  if (!handle) throw errors.missing('handle')
  const name = lineIn(body, 'name', LONGEST_NAME)
  if (!name) throw errors.missing('name')
  const members = namesIn(body, 'members')
  if (members === undefined) throw errors.missing('members')
  return { handle, name, members, clientId: onceIdIn(body['client_id']) }
}

function changeIn(body: Body): GroupChange {
  const handle = textIn(body, 'handle')
  if (handle === null) throw errors.missing('handle')
  const name = lineIn(body, 'name', LONGEST_NAME)
  if (name === null) throw errors.missing('name')
  const add = namesIn(body, 'add')
  const remove = namesIn(body, 'remove')
  if ([handle, name, add, remove].every(value => value === undefined))
    throw errors.missing('name, handle, add or remove')
  return { handle, name, add: add ?? [], remove: remove ?? [] }
}

function namesIn(body: Body, field: string): string[] | undefined {
  const value = body[field]
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw errors.missing(field)
  if (value.length > MOST_NAMES || !value.every(name => typeof name === 'string' && isUsername(name)))
    throw errors.invalid(`${field} must be at most ${MOST_NAMES} usernames`)
  return value
}
