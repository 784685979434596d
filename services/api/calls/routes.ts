import * as v from 'valibot'
import type { CallRow } from '#shared/calls/call-rows.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { incomingCalls } from '#shared/collections/incoming-calls.ts'
import { runningCalls } from '#shared/collections/running-calls.ts'
import {
  AcceptedCallPayload,
  CallStatePayload,
  IncomingCallPayload,
  NewCallPayload,
  RunningCallPayload,
} from '#shared/domain/payloads/calls.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody } from '../middleware/body-readers.ts'
import { done, endpoint, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { act } from './act.ts'
import { initiate } from './initiate.ts'
import { invite } from './invite.ts'
import { join } from './join.ts'
import { checkSender, mediaOf, sendMedia } from './media.ts'
import { shareScreen } from './share-screen.ts'
import { signalInCall, signalsInCall } from './signal.ts'
import { signallingEndpoints } from './signalling/routes.ts'
import { stateOf } from './state.ts'

const OK = { status: 'ok' } as const

/** Interface 4.8, and the calls' part of 4.10. */
export const callEndpoints = [
  endpoint(
    'POST /calls/initiate',
    {
      summary: 'Starts a call in a channel.',
      who: 'signed in',
      limit: [['calls', 1_536]],
      errors: 'json',
      body: jsonBody(f.fields({ channel: f.lenientText, video: f.lenientFlag })),
      answers: { 200: payload(NewCallPayload) },
      fails: [400, 403, 409],
    },
    async ({ stores, viewer, body: { channel, video = false } }) => {
      if (!channel) throw errors.required('channel')
      return await initiate(stores, viewer, channel, video)
    },
  ),

  endpoint(
    'GET /calls/incoming',
    {
      summary: 'Lists the calls that ring for the person.',
      who: 'signed in',
      errors: 'json',
      answers: { 200: payload(v.array(IncomingCallPayload)) },
    },
    async ({ stores, viewer }) => payloadFor(incomingCalls, stores, viewer),
  ),

  // Ours: also an event (interface 12.4).
  endpoint(
    'GET /running_calls',
    {
      summary: 'Lists the calls in progress in the channels of the person.',
      who: 'signed in',
      errors: 'json',
      answers: { 200: payload(v.array(RunningCallPayload)) },
    },
    async ({ stores, viewer }) => payloadFor(runningCalls, stores, viewer),
  ),

  endpoint(
    'POST /calls/:id/accept',
    {
      summary: 'Accepts a call that rings.',
      who: 'member',
      limit: ['other'],
      errors: 'json',
      answers: { 200: payload(AcceptedCallPayload) },
      fails: [403, 404, 409],
    },
    async ({ stores, viewer, params }) => whoIsIn(await act(stores, viewer, params.id, 'accept')),
  ),

  // Ours: for members of the call's channel.
  endpoint(
    'POST /calls/:id/join',
    {
      summary: 'Joins a call that runs.',
      who: 'member',
      limit: [['calls', 1_536]],
      errors: 'json',
      answers: { 200: payload(AcceptedCallPayload) },
      fails: [403, 404, 409],
    },
    async ({ stores, viewer, params }) => whoIsIn(await join(stores, viewer, params.id)),
  ),

  endpoint(
    'POST /calls/:id/reject',
    {
      summary: 'Rejects a call that rings.',
      who: 'member',
      limit: ['other'],
      errors: 'json',
      answers: { 200: done },
      fails: [403, 404, 409],
    },
    async ({ stores, viewer, params }) => {
      await act(stores, viewer, params.id, 'reject')
      return OK
    },
  ),

  endpoint(
    'POST /calls/:id/end',
    {
      summary: 'Ends a call.',
      who: 'member',
      limit: ['other'],
      errors: 'json',
      answers: { 200: done },
      fails: [403, 404, 409],
    },
    async ({ stores, viewer, params }) => {
      await act(stores, viewer, params.id, 'end')
      return OK
    },
  ),

  endpoint(
    'POST /calls/:id/leave',
    {
      summary: 'Leaves a call.',
      who: 'member',
      limit: ['other'],
      errors: 'json',
      answers: { 200: done },
      fails: [403, 404, 409],
    },
    async ({ stores, viewer, params }) => {
      await act(stores, viewer, params.id, 'leave')
      return OK
    },
  ),

  endpoint(
    'POST /calls/:id/invite',
    {
      summary: 'Invites a person into a call.',
      who: 'member',
      limit: [['calls', 1_024]],
      errors: 'json',
      body: jsonBody(f.fields({ username: f.lenientText })),
      answers: { 200: done },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, viewer, params, body: { username } }) => {
      await invite(stores, viewer, params.id, username)
      return OK
    },
  ),

  endpoint(
    'POST /calls/:id/screenshare',
    {
      summary: 'Reports that the person shares a screen in a call.',
      who: 'member',
      limit: ['other'],
      errors: 'json',
      body: jsonBody(f.fields({ on: f.lenientFlag })),
      answers: { 200: done },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, viewer, params, body: { on } }) => {
      await shareScreen(stores, viewer, params.id, on)
      return OK
    },
  ),

  endpoint(
    'GET /calls/:id/state',
    {
      summary: 'Gives the state of a call and its participants.',
      who: 'member',
      errors: 'json',
      answers: { 200: payload(CallStatePayload) },
      fails: [403, 404],
    },
    async ({ stores, viewer, params }) => stateOf(stores, viewer, params.id),
  ),

  ...signallingEndpoints('calls', {
    signal: signalInCall,
    signals: signalsInCall,
    checkSender,
    sendMedia,
    media: mediaOf,
  }),
]

function whoIsIn({ participants }: CallRow): AcceptedCallPayload {
  const accepted = participants.filter(({ state }) => state === 'accepted')
  return { ...OK, participants: accepted.map(({ username }) => username) }
}
