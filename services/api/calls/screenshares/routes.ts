import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { screenshares } from '#shared/collections/screenshares.ts'
import { ScreensharePayload } from '#shared/domain/payloads/calls.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { done, endpoint, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { signallingEndpoints } from '../signalling/routes.ts'
import { checkSender, mediaOf, sendMedia } from './media.ts'
import { signalInShare, signalsInShare } from './signal.ts'
import { startShare } from './start.ts'
import { stopShare } from './stop.ts'

const OK = { status: 'ok' } as const

/** Interface 4.9, and the shares' part of 4.10. */
export const screenshareEndpoints = [
  endpoint(
    'POST /screenshare/start',
    {
      summary: 'Starts a screen share in a channel.',
      who: 'signed in',
      limit: [['calls', 1_536]],
      errors: 'json',
      body: jsonBody(f.fields({ channel: f.lenientText })),
      answers: { 200: payload(v.strictObject({ share_id: v.string() })) },
      fails: [400, 403],
    },
    async ({ stores, viewer, body: { channel } }) => {
      if (!channel) throw errors.required('channel')
      return { share_id: await startShare(stores, viewer, channel) }
    },
  ),

  endpoint(
    'GET /screenshare/active',
    {
      summary: 'Lists the screen shares of a channel.',
      who: 'signed in',
      errors: 'json',
      query: f.fields({ channel: f.given<string>(id => typeof id === 'string' && id !== '', '$ required') }),
      answers: { 200: payload(v.array(ScreensharePayload)) },
      fails: [400],
    },
    async ({ stores, viewer, query: { channel: text } }) => {
      const channel = await findReadableChannel(stores, viewer, text)
      return (channel && (await payloadFor(screenshares, stores, viewer, channel.id))) ?? []
    },
  ),

  endpoint(
    'POST /screenshare/:id/stop',
    {
      summary: 'Ends a screen share.',
      who: 'member',
      limit: ['other'],
      errors: 'json',
      answers: { 200: done },
      fails: [403, 404],
    },
    async ({ stores, viewer, params }) => {
      await stopShare(stores, viewer, params.id)
      return OK
    },
  ),

  ...signallingEndpoints('screenshare', {
    signal: signalInShare,
    signals: signalsInShare,
    checkSender,
    sendMedia,
    media: mediaOf,
  }),
]
