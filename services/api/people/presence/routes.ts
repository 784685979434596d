import { type RequestHandler, Router } from 'express'
import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { onlineUsers } from '#shared/collections/online-users.ts'
import { typing } from '#shared/collections/typing.ts'
import type { PresenceState } from '#shared/domain/payloads.ts'
import { isPresenceState, overrideFrom, shownPresence } from '#shared/domain/presence.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { recordTyping } from '../../channels/typing.ts'
import { json } from '../../middleware/bodies.ts'
import { readBody, text } from '../../middleware/body-fields.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { overrideOf, presenceOf, reportPresence, setOverride } from './queries.ts'
import { recordTab, stateOfTabs } from './tabs.ts'

/** Reports that return 204, and the query that returns [], also without a session (interface 5.3). */
export function silentPresenceRoutes(stores: Stores): Router {
  const routes = Router()

  routes.post('/presence', quietJson, async (req, res) => {
    const viewer = viewerIn(req)
    const { state, tab: given } = readBody(REPORT, req.body)
    if (viewer !== undefined && isPresenceState(state)) {
      const tab = (given ?? req.get('tab'))?.slice(0, LONGEST_TAB)
      if (tab) await reportTab(stores, viewer, tab, state)
      else await report(stores, viewer, state, false)
    }
    res.status(204).end()
  })

  routes.post('/presence/override', quietJson, async (req, res) => {
    const viewer = viewerIn(req)
    const override = overrideFrom(readBody(OVERRIDE, req.body).override)
    if (viewer !== undefined && override !== undefined) {
      await runStatement(stores, 'presence', {}, db => setOverride(db, viewer, override, stores.clock.now()))
    }
    res.status(204).end()
  })

  routes.post('/typing/:channel', async (req, res) => {
    const viewer = viewerIn(req)
    const channel =
      viewer === undefined ? undefined : await findReadableChannel(stores, viewer, req.params.channel)
    if (viewer !== undefined && channel && !channel.isArchived) {
      await runStatement(stores, 'typing', { channel: channel.id }, () =>
        recordTyping(stores, viewer, channel.id),
      )
    }
    res.status(204).end()
  })

  routes.get('/typing/:channel', async (req, res) => {
    const viewer = viewerIn(req)
    const channel =
      viewer === undefined ? undefined : await findReadableChannel(stores, viewer, req.params.channel)
    if (viewer === undefined || !channel) return void res.json([])
    res.json((await payloadFor(typing, stores, viewer, channel.id)) ?? [])
  })

  return routes
}

export function presenceRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/online_users', async (req, res) => {
    res.json(await payloadFor(onlineUsers, stores, viewerOf(req)))
  })

  routes.get('/presence/override', async (req, res) => {
    res.json({ override: await overrideOf(stores.db, viewerOf(req)) })
  })

  return routes
}

const quietText = v.fallback(text, undefined)
const REPORT = v.object({ state: quietText, tab: quietText })
const OVERRIDE = v.object({ override: v.optional(v.unknown()) })

const LONGEST_TAB = 64

/** A body that is not JSON is an invalid state, so it is ignored (204). */
const quietJson: RequestHandler = (req, res, next) => {
  json(req, res, err => {
    if (err) req.body = undefined
    next()
  })
}

/** Minimum interval between two writes of an unchanged state; readers' thresholds are minutes. */
const WRITTEN_EVERY: Seconds = 20

/**
 * Stores the combined state of the viewer's tabs. Other reports may come between reading the tabs (Redis) and storing
 * the state (PostgreSQL). Therefore a report that changed the stored state reads the tabs again and corrects it: the
 * last change then has seen every report that found nothing to change.
 */
async function reportTab(stores: Stores, viewer: Username, tab: string, state: PresenceState) {
  let combined: PresenceState | undefined = await recordTab(stores, viewer, tab, state)
  for (let attempt = 0; combined !== undefined && attempt < MOST_CORRECTIONS; attempt++) {
    if (!(await report(stores, viewer, combined, true))) return
    const current = await stateOfTabs(stores, viewer)
    combined = current === combined ? undefined : current
  }
}

/** Each correction requires another report at the same time. */
const MOST_CORRECTIONS = 10

/**
 * Every report is a heartbeat; only a visible change publishes a notice. Returns true if it changed the stored state.
 */
async function report(
  stores: Stores,
  viewer: Username,
  state: PresenceState,
  byTab: boolean,
): Promise<boolean> {
  const now = stores.clock.now()
  let changed = false
  await runStatement(stores, 'presence', {}, async db => {
    const last = await presenceOf(db, viewer)
    if (last?.state === state && last.by_tab === byTab && last.last_seen > now - WRITTEN_EVERY)
      return unchanged
    const before = await reportPresence(db, viewer, state, byTab, now)
    changed = before?.state !== state
    const shownBefore = before && shownPresence(before, now)
    return shownBefore === (before?.override ?? state) ? unchanged : undefined
  })
  return changed
}
