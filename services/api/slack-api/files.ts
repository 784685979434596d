import { createHash, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { shownFileName } from '#shared/domain/file-types.ts'
import { type Fields, textIn } from '#shared/domain/slack-values.ts'
import { uuidFrom } from '#shared/domain/units.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { maxFileBytes } from '#shared/runtime/settings.ts'
import { beginUpload } from '../files/uploads/begin-upload.ts'
import { uploadNames } from '../files/uploads/complete-uploads.ts'
import { room } from '../files/uploads/upload-file.ts'
import { send } from '../messages/send.ts'
import { MOST_FILES } from '../middleware/bodies.ts'
import { originForOthers } from '../middleware/origin.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { channelOf, rootOf } from './lookup.ts'
import { argument, method, parsedIn } from './method.ts'
import { textOf } from './text-of.ts'
import { ticketFor } from './upload-ticket.ts'

const UPLOAD = {
  scope: 'write',
  limit: ['other'],
  answer: { upload_url: v.string(), file_id: v.string() },
} as const

/** Interface 19.8: an upload in parts (13.1) that comes in a single request. */
export const fileMethods = [
  ...method('files.getUploadURLExternal', UPLOAD, async call => {
    const { stores, config, req, viewer, args } = call
    const filename = argument(args, 'filename')?.trim()
    const length = argument(args, 'length')
    if (!filename || length === undefined || length === '0') throw new SlackError('missing_argument')
    if (!/^\d{1,15}$/.test(length)) throw new SlackError('invalid_arguments')
    const upload = { id: randomUUID(), originalName: shownFileName(filename), size: Number(length) }
    if (upload.size > maxFileBytes(stores.settings.current))
      throw new SlackError('file_upload_size_restricted')
    await beginUpload(stores, viewer, upload, room(stores))
    const ticket = ticketFor(config, stores.clock.now(), { token: tokenIn(req)!.id, upload: upload.id })
    return { upload_url: `${originForOthers(req, config)}/slack_uploads/${ticket}`, file_id: upload.id }
  }),

  ...method(
    'files.completeUploadExternal',
    {
      scope: 'write',
      limit: ['send'],
      words: { forbidden: 'not_in_channel', [errors.clientIdUsed().sentence]: 'file_not_found' },
      answer: { files: v.array(v.strictObject({ id: v.string(), title: v.string() })) },
    },
    async call => {
      const { stores, viewer, args } = call
      const named = ['channel_id', 'channels', 'channel'].map(name => argument(args, name))
      const channel = await channelOf(
        call,
        named.find(text => text !== undefined),
      )
      const replyTo = await rootOf(call, channel)
      const titles = filesIn(args)
      const ids = [...titles.keys()]
      await send(stores, viewer, channel, {
        ...(await textOf(call, 'initial_comment')),
        replyTo,
        clientId: clientIdOf(ids),
        uploads: [],
        inParts: ids,
      })
      const names = await uploadNames(stores, viewer, ids)
      return { files: ids.map(id => ({ id, title: titles.get(id) ?? names.get(id) })) }
    },
  ),
]

/** Slack's libraries repeat by themselves: a completion of the same files is the same message. */
function clientIdOf(ids: readonly string[]): string {
  const hex = createHash('sha256').update(ids.toSorted().join()).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

/** Titles by the ids of uploads, in the order of `files`. */
function filesIn(args: Fields): Map<string, string | undefined> {
  const list = parsedIn(args, 'files') as Fields[] | undefined
  if (!list || list.length === 0) throw new SlackError('missing_argument')
  if (list.length > MOST_FILES) throw new SlackError('invalid_arguments')
  return new Map(
    list.map(file => {
      const id = uuidFrom(textIn(file, 'id'))
      if (id === undefined) throw new SlackError('file_not_found')
      return [id, textIn(file, 'title')]
    }),
  )
}
