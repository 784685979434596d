import * as v from 'valibot'
import { GroupPayload } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { actorOf, viewingPerson } from '../../middleware/administration.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { sendValidated } from '../../middleware/validated.ts'
import { changeGroup } from './change.ts'
import { createGroup } from './create.ts'
import { noGuests } from './locked-group.ts'
import { readGroups } from './queries.ts'
import { removeGroup } from './remove.ts'

const LONGEST_NAME = 80
const MOST_NAMES = 500

const isName = (name: unknown): name is Username => typeof name === 'string' && isUsername(name)
const names = f.list(isName, `at most ${MOST_NAMES} usernames`, { most: MOST_NAMES })
const handle = f.needed(f.text())
const name = f.needed(f.line(LONGEST_NAME))

const GROUP = f.fields({ handle, name, members: names, client_id: f.clientId })
const CHANGE = f.fields({
  handle: v.exactOptional(handle),
  name: v.exactOptional(name),
  add: v.exactOptional(names),
  remove: v.exactOptional(names),
})

/** Interface 15.3. */
export const groupEndpoints = [
  endpoint(
    'GET /groups',
    {
      summary: 'Lists the groups of people.',
      who: 'signed in',
      within: 'anywhere',
      answers: { 200: payload(v.array(GroupPayload)), 304: nothing },
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
      summary: 'Makes a group of people.',
      who: 'signed in',
      scope: 'channels',
      limit: ['manage'],
      body: jsonBody(GROUP),
      answers: { 201: payload(GroupPayload) },
      fails: [400, 403, 409],
    },
    async ({ stores, req, res, body: { client_id: clientId, ...group } }) => {
      const made = await createGroup(stores, actorOf(req), { ...group, clientId })
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'PATCH /groups/:handle',
    {
      summary: 'Changes a group of people.',
      who: 'signed in',
      scope: 'channels',
      limit: ['manage'],
      body: jsonBody(CHANGE),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, params, body: change }) => {
      if (Object.keys(change).length === 0) throw errors.missing('name, handle, add or remove')
      await changeGroup(stores, actorOf(req), handleOf(params), change)
    },
  ),

  endpoint(
    'DELETE /groups/:handle',
    {
      summary: 'Deletes a group of people.',
      who: 'signed in',
      scope: 'channels',
      limit: ['manage'],
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params }) => {
      await removeGroup(stores, actorOf(req), handleOf(params))
    },
  ),
]

/** Text that is no handle names no group; it may be text that PostgreSQL does not take. */
function handleOf({ handle }: { handle: string }): string {
  if (!isUsername(handle)) throw errors.notFound()
  return handle
}
