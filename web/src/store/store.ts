/** What the client knows: the payloads of the interface under their names, and what is only this tab's. */
import { computed, signal } from '@preact/signals'
import type {
  ClientConfigPayload,
  DmPayload,
  MentionPayload,
  PresenceOverride,
  PresenceState,
  PrivateChannelPayload,
} from '#shared/rules/payloads.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'
import { peekPresence, presenceChanges, toldPresenceOf } from './presence.ts'
import type { Route } from './route.ts'

/** Written into the page by the server. */
export const viewer: Username = document.querySelector<HTMLMetaElement>('meta[name="viewer"]')?.content ?? ''
export const host = location.host
/** Cmd takes the place of Ctrl. */
export const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform)

export const publicChannels = signal<ChannelId[]>([])
export const privateChannels = signal<PrivateChannelPayload[]>([])
export const people = signal<Username[]>([])
export const config = signal<ClientConfigPayload>({
  max_file_bytes: 16 * 1024 * 1024,
  max_avatar_bytes: 5 * 1024 * 1024,
  max_message_chars: 10_000,
  ice_servers: [],
  version: '',
})
export const dms = signal<DmPayload[]>([])
export const channelUnreads = signal(new Map<ChannelId, number>())
/** What stands there until the first list comes: what that one names is not new. */
export const NO_MENTIONS_YET: MentionPayload[] = []
export const mentions = signal(NO_MENTIONS_YET)
export const override = signal<PresenceOverride | null>(null)

export const route = signal<Route>({})
export const started = signal<'loading' | 'ready' | 'failed'>('loading')
export const session = signal<'open' | 'ended'>('open')
/** Nothing of the person is left to show. */
export const accountDeleted = signal(false)

/** `lost` after a few seconds without a stream, `dead` after thirty; `crowded` when there are too many tabs. */
export const connection = signal<'up' | 'lost' | 'dead' | 'crowded'>('up')

export type Panel = 'search' | 'mentions' | 'people'
export const panel = signal<Panel | undefined>(undefined)

/** Conversations closed here whose closing the server has not been told yet: it can still be undone. */
export const closing = signal<ReadonlySet<ChannelId>>(new Set())
export const shownDms = computed(() => dms.value.filter(dm => !closing.value.has(dm.channel)))

/** Under 641 pixels one view is shown at a time. */
const narrow = matchMedia('(max-width: 640px)')
export const isPhone = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isPhone.value = narrow.matches
})

/** Of one person: whoever shows it is drawn again when that person's state changes, and at no other's. */
export function presenceOf(name: Username): PresenceState {
  return asSeenHere(name, toldPresenceOf(name) ?? 'offline')
}

/** The people of a long list who are active. Drawn again with every change of presence, without a signal for each name. */
export function activeAmong(names: readonly Username[]): Username[] {
  void presenceChanges.value
  return names.filter(name => asSeenHere(name, peekPresence(name) ?? 'offline') === 'active')
}

function asSeenHere(name: Username, state: PresenceState): PresenceState {
  // Who sees this looks at this tab: what the page before said of itself as it went is over.
  return name === viewer && state === 'hidden' && !document.hidden ? 'active' : state
}

/** How many messages of others came after the viewer's mark. */
export function unreadIn(id: ChannelId): number {
  const listed = [...dms.value, ...privateChannels.value].find(one => one.channel === id)
  return channelUnreads.value.get(id) ?? listed?.unread ?? 0
}
