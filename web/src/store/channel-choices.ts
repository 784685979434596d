/** The channels of the viewer and the viewer's choices for them: mutes and marks as unread (GET /sidebar). */
import { batch, computed, signal } from '@preact/signals'
import { mentionTokens } from '#shared/domain/mentions.ts'
import type { MentionPayload, SidebarChannelPayload, SidebarPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { noteNames } from './names.ts'
import { mentions, publicChannels, viewer } from './store.ts'

/** Distance of a New line from the message below it: times of messages are whole microseconds. */
export const JUST_BEFORE: Seconds = 0.0000005

/** The choices of the row that this store shows. */
type Choice = Pick<SidebarChannelPayload, 'channel' | 'muted_until' | 'marked_unread'>
type Choices = ReadonlyMap<ChannelId, Choice>

/** Undefined until the server has sent them. */
export const channelChoices = signal<Choices | undefined>(undefined)

export function takeChoices({ channels }: SidebarPayload) {
  const joined = channels.filter(one => one.kind === 'public')
  const ids = joined.map(one => one.channel)
  batch(() => {
    channelChoices.value = new Map(channels.map(choice => [choice.channel, choice]))
    noteNames(joined)
    if (ids.join('\n') !== publicChannels.peek().join('\n')) publicChannels.value = ids
  })
}

/** Shows a choice before the server confirms it. */
export function guessChoice(channel: ChannelId, patch: Partial<Choice>) {
  const before = channelChoices.peek()?.get(channel) ?? { channel, muted_until: null, marked_unread: null }
  channelChoices.value = new Map(channelChoices.peek()).set(channel, { ...before, ...patch })
}

export const mutedUntil = (channel: ChannelId) => channelChoices.value?.get(channel)?.muted_until ?? null

export const isChannelMuted = (channel: ChannelId) => mutedUntil(channel) !== null

/** The time of the message that the viewer marked as unread; undefined without a mark. */
export const markedUnread = (channel: ChannelId): Seconds | undefined =>
  channelChoices.value?.get(channel)?.marked_unread ?? undefined

/** The mentions that show a pill: in a muted channel only those by name. */
export const shownMentions = computed(() =>
  mentions.value.filter(mention => !isChannelMuted(mention.channel) || isByName(mention)),
)

/** The server lists mentions of the viewer and of everyone alike; the text tells which. */
function isByName({ content }: MentionPayload): boolean {
  const name = viewer.toLowerCase()
  return mentionTokens(content ?? '').some(
    token => token.toLowerCase().replace(/[-_]+$/, '') === name.replace(/[-_]+$/, ''),
  )
}
