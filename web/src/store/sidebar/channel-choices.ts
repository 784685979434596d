/** The channels of the viewer, the viewer's choices for them, and the own sections (GET /sidebar). */
import { batch, computed, signal } from '@preact/signals'
import { mentionTokens } from '#shared/domain/mentions.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type {
  SidebarChannelPayload,
  SidebarPayload,
  SidebarSectionPayload,
} from '#shared/domain/payloads/sidebar.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { iconOf, noteNames, otherAnnouncements } from '../channels/names.ts'
import { held } from '../held.ts'
import { mentions, publicChannels, viewer } from '../store.ts'
import { isOutdated } from './sidebar-revision.ts'

/** Distance of a New line from the message below it: times of messages are whole microseconds. */
export const JUST_BEFORE: Seconds = 0.0000005

export type Choice = Pick<
  SidebarChannelPayload,
  | 'channel'
  | 'level'
  | 'muted_until'
  | 'favourite'
  | 'section'
  | 'position'
  | 'marked_unread'
  | 'posting'
  | 'may_post'
>
type Choices = ReadonlyMap<ChannelId, Choice>

const noChoice = (channel: ChannelId): Choice => ({
  channel,
  level: 'default',
  muted_until: null,
  favourite: false,
  section: null,
  position: null,
  marked_unread: null,
  posting: 'everyone',
  may_post: true,
})

/** Undefined until the server has sent them. */
export const channelChoices = signal<Choices | undefined>(undefined)
/** The own sections, in order. */
export const sections = signal<SidebarSectionPayload[]>([])

/** `isFrame`: the event `sidebar`. Returns false for a payload older than what is shown. */
export function takeChoices({ rev, sections: own, channels }: SidebarPayload, isFrame = false): boolean {
  if (isOutdated(rev, isFrame)) return false
  held.noteEvent('sidebar', undefined)
  const joined = channels.filter(one => one.kind === 'public')
  const ids = joined.map(one => one.channel)
  batch(() => {
    channelChoices.value = new Map(channels.map(choice => [choice.channel, choice]))
    sections.value = own ?? []
    noteNames(joined)
    if (ids.join('\n') !== publicChannels.peek().join('\n')) publicChannels.value = ids
  })
  return true
}

/** Shows a choice before the server confirms it. */
export function guessChoice(channel: ChannelId, patch: Partial<Choice>) {
  held.noteEvent('sidebar', undefined)
  channelChoices.value = new Map(channelChoices.peek()).set(channel, { ...choiceOf(channel), ...patch })
}

export const choiceOf = (channel: ChannelId) => channelChoices.value?.get(channel) ?? noChoice(channel)

export const mutedUntil = (channel: ChannelId) => choiceOf(channel).muted_until

export const isChannelMuted = (channel: ChannelId) => mutedUntil(channel) !== null

/** Icon before the name; public channels in which only managers write have one of their own. */
export function channelIcon(channel: ChannelId, posting = postingIn(channel)) {
  const icon = iconOf(channel)
  return icon === 'hash' && posting === 'managers' ? 'megaphone' : icon
}

const postingIn = (channel: ChannelId) =>
  otherAnnouncements.value.has(channel) ? 'managers' : choiceOf(channel).posting

/** The time of the message that the viewer marked as unread; undefined without a mark. */
export const markedUnread = (channel: ChannelId): Seconds | undefined =>
  channelChoices.value?.get(channel)?.marked_unread ?? undefined

/** The mentions that show a pill: in a muted channel only those by name. */
export const shownMentions = computed(() =>
  mentions.value.filter(mention => !isChannelMuted(mention.channel) || isByName(mention)),
)

/** The server lists mentions of the viewer and of everyone alike; the text tells which. */
export function isByName({ content }: MentionPayload): boolean {
  const name = viewer.toLowerCase()
  return mentionTokens(content ?? '').some(
    token => token.toLowerCase().replace(/[-_]+$/, '') === name.replace(/[-_]+$/, ''),
  )
}
