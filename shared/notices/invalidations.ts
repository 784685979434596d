import { EVENT_NAMES, type EventName } from '#shared/domain/payloads/events.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Concern, Notice } from './notice.ts'

type ChannelKind = 'public' | 'dm' | 'private'

/** A collection, or collections that change in channels of a kind only. */
type Entry = EventName | Partial<Record<ChannelKind, readonly EventName[]>>

/** The list that shows the channel and its unread messages. */
const LIST: Entry = {
  public: ['channel_unreads'],
  dm: ['dms', 'unread_count'],
  private: ['private_channels'],
}
const inPrivate = (...collections: EventName[]): Entry => ({ private: collections })

/**
 * Collections that may change with each write; `people` where guests see other people afterwards. Too many cost a query;
 * too few delay a frame until the gateways' periodic evaluation. services/api/invalidations.slow.test.ts checks every write endpoint against it.
 */
export const INVALIDATES = {
  /** `mentions` and `inbox` of the people concerned: `mentionsOf` (shared/posting/mentioned.ts). */
  send: ['messages', 'typing', 'read_receipts', LIST],
  edit: ['messages'],
  /** `channel_info` has the number of pins, which a deletion may lower. */
  delete: ['messages', LIST, 'channel_info'],
  /** The inbox of the author: `besides`. */
  react: ['messages'],
  pin: ['messages', 'channel_info'],
  markRead: ['read_receipts', LIST, 'mentions', 'inbox', 'sidebar'],
  markUnread: ['channel_unreads', 'dms', 'unread_count', 'private_channels', 'mentions', 'sidebar', 'inbox'],
  channelPrefs: ['sidebar'],
  readInbox: ['inbox'],
  followThread: ['inbox'],
  readThread: ['inbox'],
  setPreferences: ['me'],
  /** `inbox`: a reminder counts as read once its message is done. */
  changeSaved: ['me', 'inbox'],
  /** A saved message is due. */
  remind: ['me', 'inbox'],
  /** `inbox`: a failure is read once the send has another time or is cancelled. */
  changeScheduled: ['me', 'inbox'],
  /** A scheduled message was sent, or failed. The send has a notice of its own. */
  endScheduled: ['me', 'inbox'],
  changeDrafts: ['me'],
  /** Receipts in every channel. */
  shareRead: ['read_receipts', 'me'],
  closeDm: ['dms', 'unread_count', 'sidebar'],
  typing: ['typing'],
  presence: ['online_users'],
  signUp: ['read_receipts', 'channel_info', 'people'],
  /** An account waits for approval, or was rejected: the number that admins see. */
  changeWaiting: ['me'],
  /** Gateways read the settings each second, and evaluate everything when they change. */
  changeSettings: ['workspace', 'me'],
  /** Profile of an account. `people` is read for everybody, whomever a notice names. */
  changePerson: ['me', 'people'],
  /** `people` has the revision of the groups. */
  changeGroup: ['people'],
  setStatus: ['people'],
  /** `workspace` has the revision of the emoji. */
  changeEmoji: ['workspace'],
  /** A late answer of a command, for its person alone. */
  answerCommand: ['inbox'],
  /** `workspace` has the revision of the commands. */
  changeCommand: ['workspace'],
  /** Role or state of an account: what the person sees, and where others see them. */
  changeAccess: EVENT_NAMES,
  /** The name of an account, as others see it. `workspace`: it may have made emoji. */
  renameAccount: [
    'workspace',
    'messages',
    'typing',
    'read_receipts',
    'screenshares',
    'channel_info',
    'people',
    'online_users',
    'mentions',
    'inbox',
    'incoming_calls',
    'running_calls',
  ],
  /** For the participants of the person's DMs. */
  renamePartner: ['dms', 'sidebar'],
  logOut: ['online_users'],
  /** Changes no collection, only ends the sessions' streams. */
  endSessions: [],
  /**
   * A tab may be open on a channel before its owner may read it. In a public channel the line is unread for those who
   * have joined by default; the maker's own channels: `besides`.
   */
  createChannel: [
    'messages',
    'typing',
    'read_receipts',
    'channel_info',
    inPrivate('private_channels', 'screenshares', 'sidebar', 'people'),
  ],
  /** Public: the sidebars of these people, and of everybody when a guest is among them: `besides`. */
  addMember: [
    'messages',
    'typing',
    'read_receipts',
    LIST,
    'channel_info',
    'screenshares',
    'people',
    inPrivate('mentions', 'running_calls', 'sidebar'),
  ],
  /** Public: the sidebars as for `addMember`. */
  removeMember: ['messages', 'typing', 'read_receipts', LIST, 'channel_info', 'screenshares', 'people'],
  /** The watermark moves, and guests see those who have joined type. Own channels: `besides`. */
  join: ['typing', 'read_receipts', 'channel_info', 'people'],
  /**
   * A guest cannot read the channel afterwards. Private, also for a removal: the inbox of the person: `besides`; `me`:
   * saved messages of the channel count no more.
   */
  leave: [
    'messages',
    'typing',
    'read_receipts',
    'channel_info',
    'screenshares',
    'sidebar',
    'people',
    inPrivate('me', 'private_channels', 'mentions', 'incoming_calls', 'running_calls'),
  ],
  /** Public: the sidebars of everybody when they show the change: `besides`. */
  changeChannel: ['messages', 'typing', 'read_receipts', LIST, 'channel_info', inPrivate('sidebar')],
  /** Public: the own channels of everybody: `besides`. */
  archiveChannel: [
    'messages',
    'typing',
    'read_receipts',
    LIST,
    'channel_info',
    inPrivate('mentions', 'inbox', 'sidebar'),
  ],
  /** By the operator: a channel and everything in it. */
  deleteChannel: ['messages', 'typing', 'read_receipts', 'mentions', 'inbox', 'channel_info', 'sidebar'],
  /** The sidebar of the person: `besides`. In a private channel without a manager, the longest-standing member is one. */
  changeManagers: ['channel_info', inPrivate('sidebar')],
  /** Into a public channel. The newcomer's own channels, and the sidebars of everybody for a guest: `besides`. */
  joinByInvitation: ['messages', 'typing', 'read_receipts', 'screenshares', 'channel_info', 'people'],
  ring: ['incoming_calls', 'running_calls'],
  answerCall: ['incoming_calls', 'running_calls'],
  /** A finished call leaves a line in its channel. */
  endCall: ['incoming_calls', 'running_calls', 'messages', 'read_receipts', LIST, { dm: ['sidebar'] }],
  endShare: ['screenshares'],
  startShare: ['screenshares'],
  /** Retention removes the oldest messages of a channel. */
  trim: ['messages', LIST, 'mentions', 'inbox', 'channel_info'],
  /** Calls that end with it have their own notice, `endCall`. */
  serviceStart: ['online_users', 'screenshares'],
  /** The rows of a deleted account are rewritten: open tabs get tombstones, and messages that lose a reaction. */
  finishDeletion: ['messages', 'channel_info'],
  /** Deleting an account changes what everybody sees everywhere. */
  deleteAccount: EVENT_NAMES,
} as const satisfies Record<string, readonly Entry[]>

/** Collections with the channels that a person has joined. */
export const OF_OWN_CHANNELS = [
  'channel_unreads',
  'mentions',
  'inbox',
  'sidebar',
] as const satisfies readonly EventName[]

/** The same for a guest, who reads only these: saved messages of other channels do not count (`me`). */
export const OF_READABLE_CHANNELS = [...OF_OWN_CHANNELS, 'me'] as const satisfies readonly EventName[]

export type WriteName = keyof typeof INVALIDATES

/** Writes that change who may read a channel. */
const MEMBERSHIP: readonly WriteName[] = [
  'createChannel',
  'addMember',
  'leave',
  'changeAccess',
  'renameAccount',
  'deleteAccount',
  'deleteChannel',
]

/** The channel and people that a write concerns: the readers of the channel, without one everybody, or as named. */
export interface Scope extends Pick<Notice, 'endedSessions' | 'endedSessionsOf'> {
  channel?: ChannelId | undefined
  users?: readonly Username[] | undefined
  /** Further people, channels and collections; by default the collections of the write. */
  besides?: readonly (Omit<Concern, 'collections'> & Partial<Concern>)[] | undefined
}

export function noticeOf(name: WriteName, { channel, users, besides = [], ...sessions }: Scope): Notice {
  const collections = collectionsOf(name, channel)
  const main: Concern = {
    collections,
    ...(channel !== undefined && { channel }),
    ...(users !== undefined && { users }),
    ...(MEMBERSHIP.includes(name) && { membership: true }),
  }
  const concerns = [main, ...besides.map(concern => ({ collections, ...concern }))]
  return { concerns: concerns.filter(concern => concern.collections.length > 0), ...sessions }
}

/** The ones of the kind of the channel. */
export function collectionsOf(name: WriteName, channel: ChannelId | undefined): readonly EventName[] {
  const kind = kindOf(channel)
  const entries: readonly Entry[] = INVALIDATES[name]
  return entries.flatMap(entry => (typeof entry === 'string' ? entry : (entry[kind] ?? [])))
}

const kindOf = (channel: ChannelId = ''): ChannelKind =>
  channel.startsWith('dm:') ? 'dm' : channel.startsWith('private:') ? 'private' : 'public'
