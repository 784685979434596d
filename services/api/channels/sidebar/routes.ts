import type { Request } from 'express'
import { lockAccount } from '#shared/access/account-locks.ts'
import { lockDms, lockUndeleted } from '#shared/access/lock-channels.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { raiseRevision } from '#shared/channels/sidebar-revision.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { sidebar } from '#shared/collections/sidebar.ts'
import { LONGEST_CHANNEL_NAME } from '#shared/domain/channel-name.ts'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import { CHANNEL_LEVELS } from '#shared/domain/payloads/sidebar.ts'
import { type ChannelId, idFrom, type Seconds, type Username } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { type Body, bodyOf, choiceIn, flagIn, lineIn, textIn } from '../../middleware/coded-fields.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import {
  type Choices,
  choose,
  forgetPosition,
  hasSection,
  isStored,
  placeBefore,
  placeInOrder,
} from './queries.ts'
import { changeSection, makeSection, removeSection, type SectionChange } from './sections.ts'

const MINUTE: Seconds = 60
/** A year: longer mutes are for ever. */
const MOST_MINUTES = 366 * 24 * 60
const FOR_EVER = -1
const MOST_IN_ORDER = 500

/** Interface 12.2: the person's own choices for channels. */
export const sidebarEndpoints = [
  endpoint(
    'GET /sidebar',
    { who: 'signed in', answers: { 200: payload<SidebarPayload>('SidebarPayload') } },
    async ({ stores, viewer }) => payloadFor(sidebar, stores, viewer),
  ),

  endpoint(
    'PATCH /channel_prefs/:channel',
    { who: 'member', limit: ['other'], body: jsonBody(), answers: { 204: nothing }, fails: [400, 404] },
    async ({ stores, req, viewer, params }) => {
      const change = prefsIn(bodyOf(req), stores.clock.now())
      await changePrefs(stores, viewer, params.channel, change)
    },
  ),

  endpoint(
    'POST /sections',
    {
      who: 'signed in',
      limit: ['other'],
      body: jsonBody(),
      answers: { 201: payload<{ id: number }>('{ id: number }') },
      fails: [400, 404, 409],
    },
    async ({ stores, req, res, viewer }) => {
      const body = bodyOf(req)
      const { name, ...section } = sectionIn(body)
      if (name === undefined) throw errors.missing('name')
      const clientId = onceIdIn(body['client_id'])
      const made = await makeSection(stores, viewer, { name, ...section }, clientId)
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'PATCH /sections/:id',
    { who: 'signed in', limit: ['other'], body: jsonBody(), answers: { 204: nothing }, fails: [400, 404] },
    async ({ stores, req, viewer }) => {
      const change = sectionIn(bodyOf(req))
      if (Object.keys(change).length === 0) throw errors.missing('name, collapsed or before')
      await changeSection(stores, viewer, sectionIdOf(req), change)
    },
  ),

  endpoint(
    'DELETE /sections/:id',
    { who: 'signed in', limit: ['other'], answers: { 204: nothing }, fails: [404] },
    async ({ stores, req, viewer }) => {
      await removeSection(stores, viewer, sectionIdOf(req))
    },
  ),
]

/** 404 for a channel that the person cannot read, and for a section of somebody else. */
async function changePrefs(
  stores: Stores,
  viewer: Username,
  text: unknown,
  { choices, before, order }: PrefsChange,
) {
  const find = async (id: unknown) => {
    const channel = await findReadableChannel(stores, viewer, id)
    if (!channel || !(await isStored(stores.db, viewer, channel))) throw errors.notFound()
    return channel.id
  }
  const channel = await find(text)
  const next = typeof before === 'string' ? await find(before) : before
  if (next === channel) throw errors.invalid('before must be another channel')
  const listed = order && (await inSidebar(stores, viewer, order))
  await runTransaction<typeof unchanged | undefined>(
    stores,
    'channelPrefs',
    { users: [viewer] },
    async tx => {
      if (!(await lockAccount(tx, viewer))) throw errors.signedOut()
      const concerned = [channel, ...(next ? [next] : []), ...(listed ?? [])]
      await lockDms(tx, viewer, concerned)
      await lockUndeleted(stores, tx, concerned)
      if (typeof choices.section === 'number' && !(await hasSection(tx, viewer, choices.section)))
        throw errors.notFound()
      const isChanged = await choose(tx, viewer, channel, choices)
      if (next === null) await forgetPosition(tx, viewer, channel)
      else if (next !== undefined) await placeBefore(tx, viewer, channel, next)
      else if (listed) await placeInOrder(tx, viewer, channel, listed)
      if (!isChanged && next === undefined && !listed) return unchanged
      await raiseRevision(tx, viewer)
      return undefined
    },
  )
}

/** Leaves out what the sidebar does not list, for example a channel that was archived meanwhile. */
async function inSidebar(stores: Stores, viewer: Username, order: string[]): Promise<ChannelId[]> {
  const { channels } = await payloadFor(sidebar, stores, viewer)
  const listed = new Set(channels.map(one => one.channel))
  return order.filter(channel => listed.has(channel))
}

interface PrefsChange {
  choices: Choices
  before: string | null | undefined
  /** The channels of the place, from the first on. */
  order: string[] | undefined
}

function prefsIn(body: Body, now: Seconds): PrefsChange {
  const level = choiceIn(body, 'level', CHANNEL_LEVELS)
  const favourite = flagIn(body, 'favourite')
  const section = idIn(body, 'section')
  const before = textIn(body, 'before')
  const order = orderIn(body)
  const isOther = [level, favourite, section, before, order].some(value => value !== undefined)
  const isMute = body['muted_for_minutes'] !== undefined || body['muted_until'] !== undefined
  const choices: Choices = {
    ...(level === undefined ? {} : { level }),
    ...(favourite === undefined ? {} : { favourite }),
    ...(section === undefined ? {} : { section }),
    ...(isMute || !isOther ? { mutedUntil: mutedUntilIn(body, now) } : {}),
  }
  return { choices, before, order }
}

function orderIn(body: Body): string[] | undefined {
  const { order } = body
  if (order === undefined) return undefined
  if (!Array.isArray(order)) throw errors.missing('order')
  const isFitting = order.length > 0 && order.length <= MOST_IN_ORDER
  if (!isFitting || !order.every(one => typeof one === 'string'))
    throw errors.invalid(`order must be a list of 1 to ${MOST_IN_ORDER} channels`)
  return order
}

function sectionIn(body: Body): SectionChange {
  const name = lineIn(body, 'name', LONGEST_CHANNEL_NAME)
  if (name === null) throw errors.missing('name')
  const collapsed = flagIn(body, 'collapsed')
  const before = idIn(body, 'before')
  return {
    ...(name === undefined ? {} : { name }),
    ...(collapsed === undefined ? {} : { collapsed }),
    ...(before === undefined ? {} : { before }),
  }
}

/** The id of a section, or null. */
function idIn(body: Body, field: string): number | null | undefined {
  const value = body[field]
  if (value === undefined || value === null) return value
  if (typeof value !== 'number') throw errors.missing(field)
  if (!Number.isSafeInteger(value) || value < 1) throw errors.invalid(`${field} must be the id of a section`)
  return value
}

function sectionIdOf(req: Request): number {
  const id = idFrom(req.params['id'])
  if (id === undefined) throw errors.notFound()
  return id
}

/** Reads `muted_for_minutes` (0 ends, -1 for ever) or `muted_until` (a time, `forever` or null). */
function mutedUntilIn(body: Body, now: Seconds): Seconds | null {
  const { muted_for_minutes: minutes, muted_until: until } = body
  if (minutes !== undefined) {
    if (typeof minutes !== 'number') throw errors.missing('muted_for_minutes')
    if (!Number.isInteger(minutes) || minutes < FOR_EVER || minutes > MOST_MINUTES)
      throw errors.invalid(`muted_for_minutes must be between ${FOR_EVER} and ${MOST_MINUTES}`)
    if (minutes === 0) return null
    return minutes === FOR_EVER ? Infinity : now + minutes * MINUTE
  }
  if (until === null) return null
  if (until === 'forever') return Infinity
  if (typeof until !== 'number') throw errors.missing('muted_until')
  if (until <= now || until > now + MOST_MINUTES * MINUTE)
    throw errors.invalid('muted_until must be a time within the next year')
  return until
}
