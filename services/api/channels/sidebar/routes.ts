import * as v from 'valibot'
import { lockAccount } from '#shared/access/account-locks.ts'
import { lockDms, lockUndeleted } from '#shared/access/lock-channels.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { raiseRevision } from '#shared/channels/sidebar-revision.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { sidebar } from '#shared/collections/sidebar.ts'
import { CHANNEL_LEVELS } from '#shared/domain/channel-level.ts'
import { LONGEST_CHANNEL_NAME } from '#shared/domain/channel-name.ts'
import { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import { wholeNumber } from '#shared/domain/payloads/values.ts'
import { type ChannelId, idFrom, type Seconds, type Username } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import {
  type Choices,
  choose,
  forgetPosition,
  hasSection,
  isStored,
  placeBefore,
  placeInOrder,
} from './queries.ts'
import { changeSection, makeSection, removeSection } from './sections.ts'

const MINUTE: Seconds = 60
/** A year: longer mutes are for ever. */
const MOST_MINUTES = 366 * 24 * 60
const FOR_EVER = -1
const MOST_IN_ORDER = 500

const PREFS = f.fields({
  level: f.choice(CHANNEL_LEVELS),
  favourite: f.flag,
  section: f.id('a section'),
  before: f.text(),
  /** The channels of the place, from the first on. */
  order: v.exactOptional(
    f.list(f.isText, `a list of 1 to ${MOST_IN_ORDER} channels`, { least: 1, most: MOST_IN_ORDER }),
  ),
  muted_for_minutes: v.exactOptional(
    f.wholeNumber(FOR_EVER, MOST_MINUTES, f.invalid(`between ${FOR_EVER} and ${MOST_MINUTES}`)),
  ),
  muted_until: f.mayBeNull(v.union([v.literal('forever'), v.number()], f.REQUIRED)),
})
type Prefs = v.InferOutput<typeof PREFS>

const CHANGE = {
  name: v.exactOptional(f.needed(f.line(LONGEST_CHANNEL_NAME))),
  collapsed: f.flag,
  before: f.id('a section'),
}

/** Interface 12.2: the person's own choices for channels. */
export const sidebarEndpoints = [
  endpoint(
    'GET /sidebar',
    {
      summary: 'Gives the sidebar of the person: sections, favourites, levels.',
      who: 'signed in',
      answers: { 200: payload(SidebarPayload) },
    },
    async ({ stores, viewer }) => payloadFor(sidebar, stores, viewer),
  ),

  endpoint(
    'PATCH /channel_prefs/:channel',
    // Its order names other channels.
    {
      summary: 'Changes how the person sees a channel and is notified of it.',
      who: 'member',
      within: 'nowhere',
      limit: ['other'],
      body: jsonBody(PREFS),
      answers: { 204: nothing },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, body }) => {
      await changePrefs(stores, viewer, params.channel, body)
    },
  ),

  endpoint(
    'POST /sections',
    {
      summary: 'Makes a section of the sidebar.',
      who: 'signed in',
      limit: ['other'],
      body: jsonBody(
        f.fields({ ...CHANGE, name: f.needed(f.line(LONGEST_CHANNEL_NAME)), client_id: f.clientId }),
      ),
      answers: { 201: payload(v.strictObject({ id: wholeNumber })) },
      fails: [400, 404, 409],
    },
    async ({ stores, res, viewer, body: { client_id: clientId, ...section } }) => {
      const made = await makeSection(stores, viewer, section, clientId)
      res.status(made.status).json(made.body)
    },
  ),

  endpoint(
    'PATCH /sections/:id',
    {
      summary: 'Changes a section of the sidebar.',
      who: 'signed in',
      limit: ['other'],
      body: jsonBody(f.fields(CHANGE)),
      answers: { 204: nothing },
      fails: [400, 404],
    },
    async ({ stores, viewer, params, body: change }) => {
      if (Object.keys(change).length === 0) throw errors.missing('name, collapsed or before')
      await changeSection(stores, viewer, sectionIdOf(params), change)
    },
  ),

  endpoint(
    'DELETE /sections/:id',
    {
      summary: 'Deletes a section of the sidebar.',
      who: 'signed in',
      limit: ['other'],
      answers: { 204: nothing },
      fails: [404],
    },
    async ({ stores, viewer, params }) => {
      await removeSection(stores, viewer, sectionIdOf(params))
    },
  ),
]

/** 404 for a channel that the person cannot read, and for a section of somebody else. */
async function changePrefs(stores: Stores, viewer: Username, text: unknown, prefs: Prefs) {
  const { before, order } = prefs
  const choices = choicesIn(prefs, stores.clock.now())
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

/** A request without any of the fields is one to mute that lacks the time. */
function choicesIn({ level, favourite, section, before, order, ...mute }: Prefs, now: Seconds): Choices {
  const isOther = [level, favourite, section, before, order].some(value => value !== undefined)
  return {
    ...(level === undefined ? {} : { level }),
    ...(favourite === undefined ? {} : { favourite }),
    ...(section === undefined ? {} : { section }),
    ...(Object.keys(mute).length > 0 || !isOther ? { mutedUntil: mutedUntilIn(mute, now) } : {}),
  }
}

function sectionIdOf({ id: text }: { id: string }): number {
  const id = idFrom(text)
  if (id === undefined) throw errors.notFound()
  return id
}

/** Reads `muted_for_minutes` (0 ends, -1 for ever) or `muted_until` (a time, `forever` or null). */
function mutedUntilIn(
  { muted_for_minutes: minutes, muted_until: until }: Partial<Prefs>,
  now: Seconds,
): Seconds | null {
  if (minutes !== undefined) {
    if (minutes === 0) return null
    return minutes === FOR_EVER ? Infinity : now + minutes * MINUTE
  }
  if (until === null) return null
  if (until === 'forever') return Infinity
  if (until === undefined) throw errors.missing('muted_until')
  if (until <= now || until > now + MOST_MINUTES * MINUTE)
    throw errors.invalid('muted_until must be a time within the next year')
  return until
}
