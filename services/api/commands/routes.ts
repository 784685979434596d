import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { CommandAnswerPayload, CommandPayload, MadeCommandPayload } from '#shared/domain/payloads/commands.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { checkLength } from '#shared/posting/check-post.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { actorOf, viewingPerson } from '../middleware/administration.ts'
import { jsonObject } from '../middleware/body-readers.ts'
import { checkConfirmed } from '../middleware/confirmed.ts'
import { endpoint, nothing, ok, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { originForOthers } from '../middleware/origin.ts'
import { changeCommand, createCommand, removeCommand } from './change-commands.ts'
import { giveLateAnswer, refusalOf } from './late-answer.ts'
import { readCommands } from './queries.ts'
import { runCommand } from './run-command.ts'

const LONGEST_ABOUT = 200

const name = v.pipe(
  v.string(f.REQUIRED),
  v.check(
    text => /^[a-z0-9_-]{1,32}$/.test(text),
    f.invalid('1 to 32 lower-case letters, digits, dashes and underscores'),
  ),
)
const ABOUT = { description: f.line(LONGEST_ABOUT), usage: f.line(LONGEST_ABOUT) }
const COMMAND = f.fields({ name, url: f.webAddress, bot: f.exactText, ...ABOUT, client_id: f.clientId })
const CHANGE = f.fields({ url: v.exactOptional(f.webAddress), bot: v.exactOptional(f.exactText), ...ABOUT })

const GIVEN = f.fields({
  text: f.exactText,
  reply_to_id: f.id('a message'),
  client_id: f.clientId,
})

/** `response_url` of a command: its token is the only key. Mounted before the sessions and the addresses of hooks. */
export const lateAnswerEndpoints = [
  endpoint(
    'POST /hooks/answer/:token',
    {
      summary: 'Takes a late answer to a command of the workspace.',
      who: 'anybody',
      scope: 'none',
      limit: 'by address',
      errors: 'text',
      answers: { 200: ok },
      fails: [400, 403, 404, 413],
    },
    async ({ stores, req, res, params }) => {
      try {
        await giveLateAnswer(stores, req, res, params.token)
      } catch (err) {
        throw refusalOf(err)
      }
      res.type('text/plain').send('ok')
    },
  ),
]

/** Interface 19.6. */
export const commandEndpoints = [
  endpoint(
    'GET /commands',
    {
      summary: 'Lists the commands of the workspace.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'named',
      answers: { 200: payload(v.array(CommandPayload)) },
    },
    async ({ stores, req }) => {
      const { role } = await viewingPerson(stores, req)
      return readCommands(stores.db, isAdmin(role))
    },
  ),

  endpoint(
    'POST /commands',
    {
      summary: 'Makes a command of the workspace.',
      who: 'admin',
      limit: ['manage'],
      errors: 'named',
      isConfirmed: true,
      body: jsonObject(COMMAND),
      answers: { 201: payload(MadeCommandPayload) },
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
      summary: 'Changes a command of the workspace.',
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
      summary: 'Deletes a command of the workspace.',
      who: 'admin',
      scope: 'none',
      limit: ['manage'],
      errors: 'named',
      answers: { 204: nothing },
      fails: [403, 404],
    },
    async ({ stores, req, params }) => removeCommand(stores, actorOf(req), params.name),
  ),

  endpoint(
    'POST /command/:channel',
    {
      summary: 'Runs a command of the workspace in a channel.',
      who: 'member',
      limit: ['command'],
      errors: 'named',
      prepare: async ({ stores, viewer, params }) => {
        const channel = await findReadableChannel(stores, viewer, params['channel'])
        if (!channel) throw errors.coded(404, 'not_found', 'There is no such channel.')
        return channel
      },
      body: jsonObject(GIVEN),
      answers: { 200: payload(CommandAnswerPayload), 204: nothing },
      fails: [400, 403, 404, 413, 502],
    },
    async ({ stores, config, req, viewer, ready: channel, body }) => {
      checkLength(stores, body.text)
      return runCommand(stores, config, viewer, channel, {
        text: body.text,
        replyTo: body.reply_to_id ?? undefined,
        clientId: body.client_id,
        origin: originForOthers(req, config),
      })
    },
  ),
]
