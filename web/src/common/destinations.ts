/** Places in the switcher and their order. Pure. */

import { dmId } from '#shared/domain/channel-id.ts'
import type { DmPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type Fit, fitOf, hasWords } from './fuzzy.ts'

export interface Place {
  channel: ChannelId
  kind: 'channel' | 'private' | 'direct' | 'person'
  name: string
  /** Another name that is searched: usernames behind display names, the id of a renamed channel. */
  alias?: string
  /** The other members of a conversation. */
  users: Username[]
  unread: number
  mentions: number
}

export interface Known {
  viewer: Username
  publicChannels: ChannelId[]
  privateChannels: PrivateChannelPayload[]
  dms: DmPayload[]
  people: Username[]
  unreads: ReadonlyMap<ChannelId, number>
  mentions: MentionPayload[]
  /** Display name of a person. */
  displayed: (name: Username) => string
  /** Name of a public channel. */
  nameOf: (channel: ChannelId) => string
}

/** In the sidebar's order; people without a conversation come last. */
export function placesOf(known: Known): Place[] {
  const mentions = (channel: ChannelId) => known.mentions.filter(one => one.channel === channel).length
  const listed = new Set(known.dms.map(dm => dm.channel))
  return [
    ...known.publicChannels.map(channel => ({
      channel,
      kind: 'channel' as const,
      name: known.nameOf(channel),
      alias: channel,
      users: [],
      unread: known.unreads.get(channel) ?? 0,
      mentions: mentions(channel),
    })),
    ...known.privateChannels.map(({ channel, name, unread }) => ({
      channel,
      kind: 'private' as const,
      name,
      users: [],
      unread,
      mentions: mentions(channel),
    })),
    ...known.dms.map(({ channel, users, unread }) => ({
      channel,
      kind: 'direct' as const,
      name: users.map(known.displayed).join(', ') || known.viewer,
      alias: users.join(', '),
      users,
      unread,
      mentions: mentions(channel),
    })),
    ...known.people
      .map(name => ({ name, channel: dmId([known.viewer, name]) }))
      .filter(({ name, channel }) => name !== known.viewer && !listed.has(channel))
      .map(({ name, channel }) => ({
        channel,
        kind: 'person' as const,
        name: known.displayed(name),
        alias: name,
        users: [name],
        unread: 0,
        mentions: 0,
      })),
  ]
}

export interface Found {
  place: Place
  parts: Fit['parts']
}

const MOST = 12
/** With an empty query: enough entries to choose from, also for new members. */
const AT_LEAST = 6
/** Places among them for what was open lately, however much is unread. */
const RECENT = 4

/** Empty query: unread places, then recent ones. Otherwise by match; equal matches by unread, then by last use. */
export function findPlaces(
  typed: string,
  places: Place[],
  recent: ChannelId[],
  open: ChannelId | undefined,
): Found[] {
  const used = new Map(recent.map((channel, at) => [channel, at]))
  const since = ({ channel }: Place) => used.get(channel) ?? Infinity
  if (typed.trim() === '') {
    const others = places.filter(place => place.channel !== open)
    const unread = others.filter(isUnread).sort((a, b) => concern(b) - concern(a))
    const been = others.filter(place => !isUnread(place) && used.has(place.channel))
    been.sort((a, b) => since(a) - since(b))
    const first = [...unread.slice(0, MOST - Math.min(RECENT, been.length)), ...been].slice(0, MOST)
    const rest = others.filter(place => !first.includes(place))
    return [...first, ...rest.slice(0, Math.max(0, AT_LEAST - first.length))].map(place => ({
      place,
      parts: [{ text: place.name, hit: false }],
    }))
  }
  return places
    .flatMap(place => {
      const found = fitOf(typed, place.name)
      if (found) return [{ place, ...found }]
      const other = place.alias === undefined ? undefined : fitOf(typed, place.alias)
      if (!other && hasWords(typed, `${place.name} ${place.alias ?? ''}`))
        return [{ place, score: WORDS_APART, parts: [{ text: place.name, hit: false }] }]
      return other ? [{ place, score: other.score, parts: [{ text: place.name, hit: false }] }] : []
    })
    .sort(
      (a, b) =>
        kindOf(b.score) - kindOf(a.score) ||
        Number(isUnread(b.place)) - Number(isUnread(a.place)) ||
        compare(since(a.place), since(b.place)) ||
        b.score - a.score,
    )
    .slice(0, MOST)
    .map(({ place, parts }) => ({ place, parts }))
}

/** Below every other match of the name. */
const WORDS_APART = 100

const isUnread = (place: Place) => place.unread > 0 || place.mentions > 0
/** Mentions before direct messages before the rest. */
const concern = (place: Place) => (place.mentions > 0 ? 2 : place.kind === 'direct' ? 1 : 0)
const kindOf = (score: number) => Math.floor(score / 100)
/** Avoids NaN for two places that were never opened. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b)
