import * as v from 'valibot'
import { BotPayload, MadeBotPayload } from '#shared/domain/payloads/people.ts'
import { MadeTokenPayload, TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { profileLine } from '../account/profile/profile-fields.ts'
import { listTokens } from '../account/tokens/list-tokens.ts'
import { TOKEN } from '../account/tokens/make-token.ts'
import { actorOf, viewingPerson } from '../middleware/administration.ts'
import { avatarUpload, uploadsOf } from '../middleware/bodies.ts'
import { jsonObject, jsonOrFilesBody } from '../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { sendValidated } from '../middleware/validated.ts'
import { deactivate, reactivate } from '../people/change-state.ts'
import { PERSON } from '../people/person-fields.ts'
import { changeBot } from './change.ts'
import { createBot } from './create.ts'
import { botNamed, checkMayAct, lockBot } from './locked-bot.ts'
import { makeBotToken } from './make-token.ts'
import { readBots } from './queries.ts'
import { removeBot } from './remove.ts'

const LONGEST_DESCRIPTION = 500

const DETAILS = { display_name: profileLine, description: f.text(LONGEST_DESCRIPTION) }

const BOT = f.fields({
  username: v.string(f.REQUIRED),
  ...DETAILS,
  channels: PERSON.channels,
  guest: f.flag,
  client_id: f.clientId,
})

/** `avatar` is a file of the form; null removes the picture. */
const CHANGE = f.fields({
  ...DETAILS,
  owner: v.exactOptional(f.exactText),
  avatar: v.exactOptional(v.null(f.invalid('a file of a form, or null'))),
})

/** Interface 19.3. */
export const botEndpoints = [
  endpoint(
    'GET /bots',
    {
      summary: 'Lists the bots of the workspace.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'named',
      answers: { 200: payload(v.array(BotPayload)), 304: nothing },
      fails: [403],
    },
    async ({ stores, req, res }) => {
      const { username, role } = await viewingPerson(stores, req)
      if (role === 'guest') throw errors.coded(403, 'forbidden', 'Guests do not see the bots.')
      const viewer = { username, isAdmin: isAdmin(role) }
      sendValidated(req, res, (await readBots(stores.db, viewer)) satisfies BotPayload[])
    },
  ),

  endpoint(
    'POST /bots',
    {
      summary: 'Makes a bot with a first token.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      body: jsonObject(BOT),
      answers: { 201: payload(MadeBotPayload) },
      fails: [400, 403, 409],
    },
    async ({ stores, req, res, body }) => {
      const made = await createBot(stores, actorOf(req), {
        username: body.username,
        displayName: body.display_name ?? null,
        description: body.description ?? null,
        channels: body.channels ?? [],
        isGuest: body.guest ?? false,
        clientId: body.client_id,
      })
      res.status(201).json(made)
    },
  ),

  endpoint(
    'PATCH /bots/:name',
    {
      summary: 'Changes a bot.',
      who: 'signed in',
      scope: 'none',
      limit: [['manage', 60], 'files'],
      errors: 'named',
      // Before the body: others upload nothing. The transaction checks again.
      prepare: ({ stores, viewer, params }) => checkMayAct(stores, viewer, String(params['name'])),
      body: jsonOrFilesBody(avatarUpload, 'avatar', CHANGE),
      answers: { 204: nothing },
      fails: [400, 403, 404, 409, 413],
    },
    async ({ stores, req, body, ready: name }) => {
      const [upload] = uploadsOf(req)
      const change = { ...body, ...(upload && { avatar: upload }) }
      if (Object.keys(change).length === 0) throw errors.missing('display_name, description, owner or avatar')
      await changeBot(stores, actorOf(req), name, change)
    },
  ),

  endpoint(
    'GET /bots/:name/tokens',
    {
      summary: 'Lists the tokens of a bot.',
      who: 'signed in',
      errors: 'named',
      answers: { 200: payload(v.array(TokenPayload)) },
      fails: [403, 404],
    },
    async ({ stores, viewer, params }) => listTokens(stores, await checkMayAct(stores, viewer, params.name)),
  ),

  endpoint(
    'POST /bots/:name/tokens',
    {
      summary: 'Makes a token of a bot.',
      who: 'signed in',
      limit: [['manage', 60]],
      errors: 'named',
      isConfirmed: true,
      body: jsonObject(TOKEN),
      answers: { 201: payload(MadeTokenPayload) },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, req, res, viewer, params, body }) => {
      const name = await botNamed(stores, viewer, params.name)
      const made = await makeBotToken(stores, actorOf(req), name, body)
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'POST /bots/:name/deactivate',
    {
      summary: 'Deactivates a bot and ends its tokens.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, req, viewer, params }) =>
      deactivate(stores, actorOf(req), await botNamed(stores, viewer, params.name), lockBot),
  ),

  endpoint(
    'POST /bots/:name/reactivate',
    {
      summary: 'Reactivates a bot.',
      who: 'signed in',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, req, viewer, params }) =>
      reactivate(stores, actorOf(req), await botNamed(stores, viewer, params.name), lockBot),
  ),

  endpoint(
    'DELETE /bots/:name',
    {
      summary: 'Deletes a bot.',
      who: 'signed in',
      limit: ['manage'],
      errors: 'named',
      isConfirmed: true,
      answers: { 204: nothing },
      fails: [403, 404, 409],
    },
    async ({ stores, req, viewer, params }) =>
      removeBot(stores, actorOf(req), await botNamed(stores, viewer, params.name)),
  ),
]
