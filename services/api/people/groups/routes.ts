import { type Request, Router } from 'express'
import type { GroupPayload } from '#shared/domain/payloads.ts'
import { isUsername } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf, viewingPerson } from '../../middleware/administration.ts'
import { json } from '../../middleware/bodies.ts'
import { type Body, bodyOf, lineIn, textIn } from '../../middleware/coded-fields.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { sendValidated } from '../../middleware/validated.ts'
import { changeGroup, type GroupChange } from './change.ts'
import { createGroup, type GroupDraft } from './create.ts'
import { noGuests } from './held-group.ts'
import { readGroups } from './queries.ts'
import { removeGroup } from './remove.ts'

const LONGEST_NAME = 80
const MOST_NAMES = 500

/** Interface 10.25. */
export function groupRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/groups', errorsWithCode)

  routes.get('/groups', async (req, res) => {
    const { username, role } = await viewingPerson(stores, req)
    if (role === 'guest') throw noGuests()
    sendValidated(req, res, (await readGroups(stores.db, username)) satisfies GroupPayload[])
  })

  routes.post('/groups', json, async (req, res) => {
    const { status, body } = await createGroup(stores, actorOf(req), draftIn(bodyOf(req)))
    res.status(status).json(body)
  })

  routes.patch('/groups/:handle', json, async (req, res) => {
    await changeGroup(stores, actorOf(req), handleOf(req), changeIn(bodyOf(req)))
    res.status(204).end()
  })

  routes.delete('/groups/:handle', async (req, res) => {
    await removeGroup(stores, actorOf(req), handleOf(req))
    res.status(204).end()
  })

  return routes
}

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
