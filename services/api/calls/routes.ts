import { Router } from 'express'
import * as v from 'valibot'
import type { CallRow } from '#shared/calls/call-rows.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { incomingCalls } from '#shared/collections/incoming-calls.ts'
import { runningCalls } from '#shared/collections/running-calls.ts'
import type { AcceptedCallPayload } from '#shared/domain/payloads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../middleware/bodies.ts'
import { flag, readBody, text } from '../middleware/body-fields.ts'
import { errorsAsJson } from '../middleware/errors.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { act } from './act.ts'
import { initiate } from './initiate.ts'
import { invite } from './invite.ts'
import { join } from './join.ts'
import { checkSender, mediaOf, sendMedia } from './media.ts'
import { shareScreen } from './share-screen.ts'
import { signalInCall, signalsInCall } from './signal.ts'
import { signallingRoutes } from './signalling/routes.ts'
import { stateOf } from './state.ts'

const INITIATE = v.object({ channel: text, video: flag })
const INVITE = v.object({ username: text })
const SHARE = v.object({ on: flag })

const OK = { status: 'ok' } as const

/** Interface 4.8, and the calls' part of 4.10. */
export function callRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use(['/calls', '/running_calls'], errorsAsJson)

  routes.post('/calls/initiate', json, async (req, res) => {
    const { channel, video = false } = readBody(INITIATE, req.body)
    if (!channel) throw errors.required('channel')
    res.json(await initiate(stores, viewerOf(req), channel, video))
  })

  routes.get('/calls/incoming', async (req, res) => {
    res.json(await payloadFor(incomingCalls, stores, viewerOf(req)))
  })

  // Ours: also an event (interface 10.5).
  routes.get('/running_calls', async (req, res) => {
    res.json(await payloadFor(runningCalls, stores, viewerOf(req)))
  })

  routes.post('/calls/:id/accept', async (req, res) => {
    res.json(whoIsIn(await act(stores, viewerOf(req), req.params.id, 'accept')))
  })

  // Ours: for members of the call's channel.
  routes.post('/calls/:id/join', async (req, res) => {
    res.json(whoIsIn(await join(stores, viewerOf(req), req.params.id)))
  })

  for (const verb of ['reject', 'end', 'leave'] as const) {
    routes.post(`/calls/:id/${verb}`, async (req, res) => {
      await act(stores, viewerOf(req), req.params['id'], verb)
      res.json(OK)
    })
  }

  routes.post('/calls/:id/invite', json, async (req, res) => {
    const { username } = readBody(INVITE, req.body)
    await invite(stores, viewerOf(req), req.params.id, username)
    res.json(OK)
  })

  routes.post('/calls/:id/screenshare', json, async (req, res) => {
    await shareScreen(stores, viewerOf(req), req.params.id, readBody(SHARE, req.body).on)
    res.json(OK)
  })

  routes.get('/calls/:id/state', async (req, res) => {
    res.json(await stateOf(stores, viewerOf(req), req.params.id))
  })

  routes.use(
    signallingRoutes(stores, 'calls', {
      signal: signalInCall,
      signals: signalsInCall,
      checkSender,
      sendMedia,
      media: mediaOf,
    }),
  )

  return routes
}

function whoIsIn({ participants }: CallRow): AcceptedCallPayload {
  const accepted = participants.filter(({ state }) => state === 'accepted')
  return { ...OK, participants: accepted.map(({ username }) => username) }
}
