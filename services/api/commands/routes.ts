import * as v from 'valibot'
import type { CommandPayload, MadeCommandPayload } from '#shared/domain/payloads/commands.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { actorOf, viewingPerson } from '../middleware/administration.ts'
import { jsonObject } from '../middleware/body-readers.ts'
import { checkConfirmed } from '../middleware/confirmed.ts'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { changeCommand, createCommand, removeCommand } from './change-commands.ts'
import { readCommands } from './queries.ts'

const LONGEST_ABOUT = 200
const LONGEST_URL = 2_048

const name = v.pipe(
  v.string(f.REQUIRED),
  v.check(
    text => /^[a-z0-9_-]{1,32}$/.test(text),
    f.invalid('1 to 32 lower-case letters, digits, dashes and underscores'),
  ),
)
const url = v.pipe(
  v.string(f.REQUIRED),
  v.check(isUrl, f.invalid(`an http or https address of at most ${LONGEST_URL} characters, without user`)),
  v.transform(text => new URL(text).href),
)

function isUrl(text: string): boolean {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return false
  const { protocol, username, password, hostname, href } = new URL(text)
  const isOfTheWeb = protocol === 'http:' || protocol === 'https:'
  return isOfTheWeb && hostname !== '' && username === '' && password === '' && href.length <= LONGEST_URL
}

const ABOUT = { description: f.line(LONGEST_ABOUT), usage: f.line(LONGEST_ABOUT) }
const COMMAND = f.fields({ name, url, bot: f.exactText, ...ABOUT, client_id: f.clientId })
const CHANGE = f.fields({ url: v.exactOptional(url), bot: v.exactOptional(f.exactText), ...ABOUT })

/** Interface 19.6. */
export const commandEndpoints = [
  endpoint(
    'GET /commands',
    {
      who: 'signed in',
      within: 'anywhere',
      errors: 'named',
      answers: { 200: payload<CommandPayload[]>('CommandPayload[]') },
    },
    async ({ stores, req }) => {
      const { role } = await viewingPerson(stores, req)
      return readCommands(stores.db, isAdmin(role))
    },
  ),

  endpoint(
    'POST /commands',
    {
      who: 'admin',
      limit: ['manage'],
      errors: 'named',
      isConfirmed: true,
      body: jsonObject(COMMAND),
      answers: { 201: payload<MadeCommandPayload>('MadeCommandPayload') },
      fails: [400, 403, 409],
    },
    async ({ stores, config, req, res, body }) => {
      const made = await createCommand(stores, config, actorOf(req), {
        name: body.name,
        url: body.url,
        bot: body.bot,
        description: body.description ?? null,
        usage: body.usage ?? null,
        clientId: body.client_id,
      })
      res.status(201).json(made)
    },
  ),

  endpoint(
    'PATCH /commands/:name',
    {
      who: 'admin',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      body: jsonObject(CHANGE),
      answers: { 204: nothing },
      fails: [400, 403, 404],
    },
    async ({ stores, req, params, body }) => {
      if (Object.keys(body).length === 0) throw errors.missing('url, bot, description or usage')
      await changeCommand(stores, actorOf(req), params.name, body, () => checkConfirmed(stores, req))
    },
  ),

  endpoint(
    'DELETE /commands/:name',
    {
      who: 'admin',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, req, params }) => removeCommand(stores, actorOf(req), params.name),
  ),
]
