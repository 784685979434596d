import type { Request, RequestHandler } from 'express'
import * as v from 'valibot'
import { personOf } from '#shared/access/person.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { onlineUsers } from '#shared/collections/online-users.ts'
import { typing } from '#shared/collections/typing.ts'
import { TypingPayload } from '#shared/domain/payloads/messages.ts'
import { OnlineUsersPayload, PresenceOverride, type PresenceState } from '#shared/domain/payloads/people.ts'
import { isPresenceState, overrideFrom, shownPresence } from '#shared/domain/presence.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { recordTyping } from '../../channels/typing.ts'
import { json } from '../../middleware/bodies.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { overrideOf, presenceOf, reportPresence, setOverride } from './queries.ts'
import { recordTab, stateOfTabs } from './tabs.ts'

const quietText = v.fallback(f.lenientText, undefined)
const REPORT = f.fields({ state: quietText, tab: quietText })
const OVERRIDE = f.fields({ override: f.anything })

/** A body that is not JSON is an invalid state, so it is ignored (204). */
const quietJson: RequestHandler = (req, res, next) => {
  json(req, res, err => {
    if (err) req.body = undefined
    next()
  })
}

/** Reports that return 204, and the query that returns [], also without a session (interface 5.3). */
export const silentPresenceEndpoints = [
  endpoint(
    'POST /presence',
    {
      summary: 'Reports the presence of the person in a tab.',
      who: 'anybody',
      limit: ['reports'],
      isSilent: true,
      errors: 'text',
      body: jsonBody(REPORT, quietJson),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, req, viewer, body }) => {
      const { state, tab: given } = body
      if (viewer !== undefined && isPresenceState(state) && !(await isBot(stores, req))) {
        const tab = (given ?? req.get('tab'))?.slice(0, LONGEST_TAB)
        if (tab) await reportTab(stores, viewer, tab, state)
        else await report(stores, viewer, state, false)
      }
    },
  ),

  endpoint(
    'POST /presence/override',
    {
      summary: 'Sets the presence that others see, or removes the setting.',
      who: 'anybody',
      limit: ['reports'],
      isSilent: true,
      errors: 'text',
      body: jsonBody(OVERRIDE, quietJson),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, req, viewer, body }) => {
      const override = overrideFrom(body.override)
      if (viewer !== undefined && override !== undefined && !(await isBot(stores, req))) {
        await runStatement(stores, 'presence', {}, db =>
          setOverride(db, viewer, override, stores.clock.now()),
        )
      }
    },
  ),

  endpoint(
    'POST /typing/:channel',
    {
      summary: 'Reports that the person types in a channel.',
      who: 'anybody',
      limit: [['reports', 2]],
      isSilent: true,
      errors: 'text',
      answers: { 204: nothing },
    },
    async ({ stores, viewer, params }) => {
      const channel =
        viewer === undefined ? undefined : await findReadableChannel(stores, viewer, params.channel)
      if (viewer !== undefined && channel && !channel.isArchived) {
        await runStatement(stores, 'typing', { channel: channel.id }, () =>
          recordTyping(stores, viewer, channel.id),
        )
      }
    },
  ),

  endpoint(
    'GET /typing/:channel',
    {
      summary: 'Lists the people who type in a channel.',
      who: 'anybody',
      errors: 'text',
      answers: { 200: payload(TypingPayload) },
    },
    async ({ stores, viewer, params }) => {
      const channel =
        viewer === undefined ? undefined : await findReadableChannel(stores, viewer, params.channel)
      if (viewer === undefined || !channel) return []
      return (await payloadFor(typing, stores, viewer, channel.id)) ?? []
    },
  ),
]

export const presenceEndpoints = [
  endpoint(
    'GET /online_users',
    {
      summary: 'Lists the people who are online, and their presence.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'text',
      answers: { 200: payload(OnlineUsersPayload) },
    },
    async ({ stores, viewer }) => payloadFor(onlineUsers, stores, viewer),
  ),

  endpoint(
    'GET /presence/override',
    {
      summary: 'Tells the presence that the person has set.',
      who: 'signed in',
      errors: 'text',
      answers: {
        200: payload(v.strictObject({ override: v.nullable(PresenceOverride) })),
      },
    },
    async ({ stores, viewer }) => ({ override: await overrideOf(stores.db, viewer) }),
  ),
]

const LONGEST_TAB = 64

/** Bots are nowhere online. They have no sessions: requests of people's browsers ask nothing more. */
async function isBot({ db }: Stores, req: Request): Promise<boolean> {
  const token = tokenIn(req)
  return token !== undefined && (await personOf(db, token.username))?.kind === 'bot'
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
