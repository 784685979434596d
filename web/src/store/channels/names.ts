/** Display names of channels. */
import { computed, signal } from '@preact/signals'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { fold } from '#shared/domain/fold.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { displayed } from '../people/people.ts'
import { knownNames, privateChannels, publicChannels, viewer } from '../store.ts'

export const isDm = (channel: ChannelId) => channel.startsWith('dm:')
export const isPrivate = (channel: ChannelId) => channel.startsWith('private:')

/** Icon before the name; a conversation shows people instead. */
export const iconOf = (channel: ChannelId) => (isDm(channel) ? 'at' : isPrivate(channel) ? 'lock' : 'hash')

/** The other people of a conversation; the viewer in a conversation without others. */
export function othersIn(channel: ChannelId): Username[] {
  const parsed = parseChannelId(channel)
  return parsed?.kind === 'dm' ? parsed.participants.filter(name => name !== viewer) : []
}

/** `engineering`, `Rev C board`, or the names of the others. */
export function plainName(channel: ChannelId): string {
  if (isDm(channel)) return othersIn(channel).map(displayed).join(', ')
  if (isPrivate(channel)) return nameOfPrivate(channel)
  return knownNames.value.get(channel) ?? channel
}

/** The name in running text: `#engineering`, `Rev C board`, `tomasz`. */
export function nameOf(channel: ChannelId): string {
  return isDm(channel) || isPrivate(channel) ? plainName(channel) : `#${plainName(channel)}`
}

/** Public channels that the viewer may read and has not joined. */
export const otherChannels = signal<readonly ChannelId[]>([])
/** The ids of `otherChannels` in which only managers write. */
export const otherAnnouncements = signal<ReadonlySet<ChannelId>>(new Set())

/**
 * Names that link to a channel after `#`, each on a line with its channel. A string, because the lists change with every
 * message and the names hardly ever.
 */
const namedChannels = computed(() =>
  [
    ...publicChannels.value.map(channel => `${channel}\n${channel}`),
    ...privateChannels.value.map(({ name, channel }) => `${name}\n${channel}`),
    ...otherChannels.value.map(channel => `${channel}\n${channel}`),
  ].join('\n'),
)
const channelsByName = computed(() => {
  const lines = namedChannels.value.split('\n')
  const byName = new Map<string, ChannelId>()
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const key = lines[at]!.toLowerCase()
    if (!byName.has(key)) byName.set(key, lines[at + 1]!)
  }
  return byName
})

/** Names of the channels that the viewer can see, in lower case. The same array until they change. */
export const channelNames = computed(() => [...channelsByName.value.keys()])
export const channelNamed = (name: string) => channelsByName.value.get(name.toLowerCase())

/**
 * A lost channel keeps its last name, an archived one has that of its details; a channel that was never the viewer's
 * has none.
 */
function nameOfPrivate(channel: ChannelId): string {
  const listed = numberedNames.value.get(channel)
  if (listed !== undefined) lastNames.set(channel, listed)
  return listed ?? knownNames.value.get(channel) ?? lastNames.get(channel) ?? strings.privateChannel.unknown
}

/** Private channels of one name are told apart by a number, in the order of their age: “Board”, “Board (2)”. */
const numberedNames = computed(() => {
  const counts = new Map<string, number>()
  return new Map(
    privateChannels.value
      .toSorted((a, b) => a.id - b.id)
      .map(({ channel, name }) => {
        const key = fold(name)
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        return [channel, count === 1 ? name : `${name} (${count})`]
      }),
  )
})

/** The viewer's private channel of that name. */
export const privateNamed = (name: string): ChannelId | undefined =>
  privateChannels.value.find(one => fold(one.name) === fold(name.trim()))?.channel

const lastNames = new Map<ChannelId, string>()

/** Names of public channels, which differ from their ids after a renaming, and of archived private ones. */
export function noteNames(list: readonly { channel: ChannelId; name: string | null }[]) {
  const known = knownNames.peek()
  const changed = list.filter(({ channel, name }) => (known.get(channel) ?? channel) !== (name ?? channel))
  if (changed.length === 0) return
  const names = new Map(known)
  for (const { channel, name } of changed) names.set(channel, name ?? channel)
  knownNames.value = names
}
