/** Client state: the payloads of the interface under their names, and the state of this tab. */
import { computed, signal } from '@preact/signals'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { WorkspacePayload } from '#shared/domain/payloads/administration.ts'
import type { DmPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { ClientConfigPayload } from '#shared/domain/payloads/client.ts'
import type { InboxPayload, MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { PeopleChangesPayload, PresenceOverride, PresenceState } from '#shared/domain/payloads/people.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { peekPresence, presenceChanges, reportedPresenceOf } from './people/presence.ts'
import type { Route } from './route.ts'

/** Written into the page by the server. */
export const viewer: Username = document.querySelector<HTMLMetaElement>('meta[name="viewer"]')?.content ?? ''
export const host = location.host
/** Cmd replaces Ctrl. */
export const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform)

export const publicChannels = signal<ChannelId[]>([])
/** Display names of public channels that differ from their ids, and of archived private ones. */
export const knownNames = signal<ReadonlyMap<ChannelId, string>>(new Map())
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
/** Initial value; mentions of the first payload are not "new". */
export const NO_MENTIONS_YET: MentionPayload[] = []
export const mentions = signal(NO_MENTIONS_YET)
/** Undefined until the stream or a poll has delivered it. */
export const workspace = signal<WorkspacePayload | undefined>(undefined)
/** The name of the product until the workspace is known. */
export const workspaceName = computed(() => workspace.value?.name ?? 'bothy')
export const me = signal<MePayload | undefined>(undefined)
/** Recent changes of the list of people (interface 15.1). */
export const peopleChanges = signal<PeopleChangesPayload | undefined>(undefined)
/** The first page; later ones are requested by the panel. */
export const NO_INBOX_YET: InboxPayload = { unread: 0, threads: 0, items: [], next: null }
export const inbox = signal(NO_INBOX_YET)
export const override = signal<PresenceOverride | null>(null)

export const route = signal<Route>({})
export const started = signal<'loading' | 'ready' | 'failed'>('loading')
export const session = signal<'open' | 'ended'>('open')
/** The account is deleted: no data of the person is shown. */
export const accountDeleted = signal(false)

/** `lost` after a few seconds without a stream, `dead` after thirty; `crowded`: too many tabs. */
export const connection = signal<'up' | 'lost' | 'dead' | 'crowded'>('up')

/** Those beside the conversation, and pages that cover it. */
export type Panel =
  | 'search'
  | 'mentions'
  | 'details'
  | 'thread'
  | 'threads'
  | 'channels'
  | 'saved'
  | 'scheduled'
  | 'admin'
export const panel = signal<Panel | undefined>(undefined)
/** A page covers the conversation. */
const PAGES: readonly (Panel | undefined)[] = ['threads', 'channels', 'saved', 'scheduled', 'admin']
export const isPage = computed(() => PAGES.includes(panel.value))

/** Conversations closed here and not yet on the server, so that the closing can be undone. */
export const closing = signal<ReadonlySet<ChannelId>>(new Set())
export const shownDms = computed(() => dms.value.filter(dm => !closing.value.has(dm.channel)))

/** Below 641 px one view is shown at a time. */
const narrow = matchMedia('(max-width: 640px)')
export const isPhone = signal(narrow.matches)
narrow.addEventListener('change', () => {
  isPhone.value = narrow.matches
})

/** A page covers the messages, on a phone any panel. */
export const isCovered = computed(() => isPage.value || (isPhone.value && panel.value !== undefined))

/** Subscribes to the presence of one person only. */
export function presenceOf(name: Username): PresenceState {
  return asSeenHere(name, reportedPresenceOf(name))
}

/** False from the moment on at which the user is told. */
export const isConnected = () => connection.value === 'up' || connection.value === 'crowded'

/** The active people of a long list. Subscribes to every change of presence instead of one signal for each name. */
export function activeAmong(names: readonly Username[]): Username[] {
  void presenceChanges.value
  return names.filter(name => asSeenHere(name, peekPresence(name)) === 'active')
}

function asSeenHere(name: Username, state: PresenceState | undefined): PresenceState {
  if (name !== viewer) return state ?? 'offline'
  // The others see the viewer as offline, too.
  if (!isConnected()) return 'offline'
  // This tab is visible, so ignore the end that the previous page reported; nothing is reported at first.
  const isPast = state === undefined || state === 'hidden' || (state === 'offline' && override.value === null)
  return isPast && !document.hidden ? 'active' : (state ?? 'hidden')
}

/** Unread messages of others in a channel. */
export function unreadIn(id: ChannelId): number {
  const listed = [...dms.value, ...privateChannels.value].find(one => one.channel === id)
  return channelUnreads.value.get(id) ?? listed?.unread ?? 0
}
