/** Values derived from the payloads. Pure: no store, no page. */

import type { SeenMessage } from '#shared/domain/deltas.ts'
import { fold, foldWithPlaces } from '#shared/domain/fold.ts'
import type { DmPayload } from '#shared/domain/payloads/channels.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { MessagePayload, ReactionsPayload } from '#shared/domain/payloads/messages.ts'
import type { PresenceState } from '#shared/domain/payloads/people.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Item } from './items.ts'
import { isRowItem, rowsOf } from './items.ts'

/** Readers up to an item, or as many of them as are named. */
export interface Readers {
  names: Username[]
  count: number
  /** In a channel with many readers: the message whose readers can be requested. */
  message?: number
}

/** The key of the last item that each person has read, unless they wrote it themselves. */
export function readersByItem(
  items: Item[],
  markers: Map<Username, Seconds>,
  viewer: Username,
): Map<string, Username[]> {
  const readers = new Map<string, Username[]>()
  // A system line has no author, and so no readers.
  const rows = items
    .filter(isRowItem)
    .filter(item => item.kind !== 'system' && (item.kind !== 'message' || !item.shown.pending))
  for (const [name, marker] of markers) {
    const last = name === viewer ? undefined : rows[countUpTo(rows, marker) - 1]
    if (!last || (last.kind === 'message' && last.shown.row.sender === name)) continue
    const names = readers.get(last.key)
    if (names) names.push(name)
    else readers.set(last.key, [name])
  }
  return readers
}

/** The number of rows, sorted by time, up to `ts`. */
function countUpTo(rows: { lastTs: Seconds }[], ts: Seconds): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rows[middle]!.lastTs <= ts) from = middle + 1
    else to = middle
  }
  return from
}

/**
 * Readers by item from counts only: at the last item of each count. Items below it have fewer readers; an item with no
 * more readers than a later one is skipped. The viewer counts, but is not named.
 */
export function countsByItem(
  items: Item[],
  seen: ReadonlyMap<number, SeenMessage>,
  viewer: Username,
): Map<string, Readers> {
  const marks = new Map<string, Readers>()
  let below = 0
  for (const item of items.filter(isRowItem).reverse()) {
    const last = rowsOf(item).findLast(({ row }) => seen.has(row.id))
    const found = last && seen.get(last.row.id)
    if (!found || found.count <= below) continue
    const names = found.names.filter(name => name !== viewer)
    marks.set(item.key, { names, count: found.count, message: found.id })
    below = found.count
  }
  return marks
}

/** Readers of a message, except the viewer. */
export function readersOf(
  row: MessagePayload,
  markers: Map<Username, Seconds>,
  viewer: Username,
): Username[] {
  return [...markers]
    .filter(([name, marker]) => name !== viewer && name !== row.sender && marker >= row.ts)
    .map(([name]) => name)
}

export interface Badge {
  unread: number
  mentions: number
}

export function badgeOf(channel: ChannelId, unread: number, mentions: MentionPayload[]): Badge {
  return { unread, mentions: mentions.filter(mention => mention.channel === channel).length }
}

/** The next or previous channel in the order of the sidebar, cyclic; undefined when there is no other. */
export function neighbourOf(
  all: { channel: ChannelId; unread: number }[],
  mentions: MentionPayload[],
  open: ChannelId | undefined,
  step: 1 | -1,
  unreadOnly: boolean,
): ChannelId | undefined {
  const isUnread = ({ channel, unread }: { channel: ChannelId; unread: number }) =>
    unread > 0 || mentions.some(mention => mention.channel === channel)
  const list = all.filter(one => one.channel === open || !unreadOnly || isUnread(one)).map(one => one.channel)
  const at = open === undefined ? -1 : list.indexOf(open)
  const next = at < 0 ? (step === 1 ? 0 : list.length - 1) : (at + step + list.length) % list.length
  return list[next] === open ? undefined : list[next]
}

/** The number in the window's title: unread direct messages and mentions. */
export function countForTitle(dms: DmPayload[], mentions: MentionPayload[]): number {
  const direct = dms.reduce((sum, dm) => sum + dm.unread, 0)
  return direct + mentions.filter(mention => !mention.channel.startsWith('dm:')).length
}

export function reactionsOf(row: MessagePayload): [name: string, people: Username[]][] {
  return entriesOf<Username[]>(row.reactions)
}

export function mentionsOf(row: MessagePayload): Username[] {
  const names = parsed(row.mentions)
  return Array.isArray(names) ? (names as Username[]) : []
}

export function concerns(row: MessagePayload, viewer: Username): boolean {
  if (row.sender === viewer || row.deleted === 1) return false
  const names = mentionsOf(row)
  return names.includes(viewer) || names.includes('@everyone')
}

/** The reactions after the viewer has pressed one: removed if present, else added to its chip or at the end. */
export function toggled(row: MessagePayload, name: string, viewer: Username): string | null {
  const before = reactionsOf(row)
  const found = before.some(([other]) => other === name)
  const after = (found ? before : [...before, [name, []] as [string, Username[]]])
    .map(([other, people]): [string, Username[]] => [other, other === name ? flip(people, viewer) : people])
    .filter(([, people]) => people.length > 0)
  return after.length > 0 ? JSON.stringify(Object.fromEntries(after) as ReactionsPayload) : null
}

export function hasReacted(row: MessagePayload, name: string, viewer: Username): boolean {
  return reactionsOf(row).some(([other, people]) => other === name && people.includes(viewer))
}

function flip(people: Username[], viewer: Username) {
  return people.includes(viewer) ? people.filter(name => name !== viewer) : [...people, viewer]
}

/** People whose username or display name matches: prefixes first, and among these the most recent speakers. */
export function matchingPeople(
  typed: string,
  people: Username[],
  recent: Username[],
  displayNameOf: (name: Username) => string | null | undefined = () => null,
): Username[] {
  const wanted = fold(typed)
  const namesOf = (name: Username) => [name, displayNameOf(name) ?? ''].map(fold)
  const rank = (name: Username) => (namesOf(name).some(one => one.startsWith(wanted)) ? 0 : 1)
  const spoke = new Map(recent.map((name, at) => [name, at]))
  return people
    .filter(name => namesOf(name).some(one => one.includes(wanted)))
    .sort(
      (a, b) =>
        rank(a) - rank(b) || (spoke.get(a) ?? Infinity) - (spoke.get(b) ?? Infinity) || compareNames(a, b),
    )
}

const NEAREST: PresenceState[] = ['active', 'idle', 'hidden', 'offline']

/** Sorts by presence: active, idle, in another tab, offline. Stable within a state. */
export function nearestFirst(names: Username[], presenceOf: (name: Username) => PresenceState): Username[] {
  const groups = new Map(NEAREST.map(state => [state, [] as Username[]]))
  for (const name of names) groups.get(presenceOf(name))!.push(name)
  return [...groups.values()].flat()
}

let collator: Intl.Collator | undefined

/** `localeCompare` takes several times as long. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { sensitivity: 'base' })
  return collator.compare(a, b)
}

/** Splits a choice at the first place of the typed letters, without regard to case. */
export function marked(text: string, words: string): { text: string; hit: boolean }[] {
  const wanted = fold(words.trim())
  const { text: all, original } = foldWithPlaces(text)
  const at = wanted === '' ? -1 : all.indexOf(wanted)
  if (at < 0) return [{ text, hit: false }]
  const [from, to] = original(at, at + wanted.length)
  const parts = [
    { text: text.slice(0, from), hit: false },
    { text: text.slice(from, to), hit: true },
    { text: text.slice(to), hit: false },
  ]
  return parts.filter(part => part.text !== '')
}

/** A payload keyed by names, as a Map: `__proto__` and `constructor` are valid usernames. */
export function byName<T>(payload: Record<string, T>): Map<string, T> {
  return new Map(Object.entries(payload))
}

function entriesOf<T>(json: string | null): [string, T][] {
  const value = parsed(json)
  return value && typeof value === 'object' ? (Object.entries(value) as [string, T][]) : []
}

function parsed(json: string | null): unknown {
  if (!json) return null
  try {
    return JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Rows below a root within which its reply counts as in sight. */
const IN_SIGHT = 4

/** Ids of messages with a reply among the next few rows: a count of one would repeat what stands there. */
export function answeredInSight(items: readonly Item[]): ReadonlySet<number> {
  const answered = new Set<number>()
  const above: (number | undefined)[] = []
  for (const item of items.filter(isRowItem)) {
    const rows = rowsOf(item)
    for (const { row } of rows)
      if (row.deleted === 0 && row.reply_to_id !== null && above.includes(row.reply_to_id))
        answered.add(row.reply_to_id)
    above.push(item.kind === 'message' ? rows[0]!.row.id : undefined)
    if (above.length > IN_SIGHT) above.shift()
  }
  return answered
}
