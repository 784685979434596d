import { EVENT_NAMES, type EventName } from '#shared/domain/payloads.ts'
import type { Notice, Scope } from './notice.ts'

/**
 * Collections that may change with each write; `people` where guests see other people afterwards. Too many cost a query;
 * too few delay a frame until the gateways' periodic evaluation. services/api/invalidations.slow.test.ts checks every write endpoint against it.
 */
export const INVALIDATES = {
  /** `mentions` and `inbox` also for the sender, whose own watermark moves; `inbox` for those who follow the thread. */
  sendPublic: ['messages', 'typing', 'read_receipts', 'channel_unreads', 'mentions', 'inbox'],
  sendDm: ['messages', 'typing', 'read_receipts', 'dms', 'unread_count', 'mentions', 'inbox'],
  sendPrivate: ['messages', 'typing', 'read_receipts', 'private_channels', 'mentions', 'inbox'],
  edit: ['messages', 'mentions', 'inbox'],
  /** `channel_info` has the number of pins, which a deletion may lower. */
  deletePublic: ['messages', 'channel_unreads', 'mentions', 'inbox', 'channel_info'],
  deleteDm: ['messages', 'dms', 'unread_count', 'mentions', 'inbox', 'channel_info'],
  deletePrivate: ['messages', 'private_channels', 'mentions', 'inbox', 'channel_info'],
  react: ['messages', 'inbox'],
  pin: ['messages', 'channel_info'],
  markReadPublic: ['read_receipts', 'channel_unreads', 'mentions', 'inbox', 'sidebar'],
  markReadDm: ['read_receipts', 'dms', 'unread_count', 'mentions', 'inbox', 'sidebar'],
  markReadPrivate: ['read_receipts', 'private_channels', 'mentions', 'inbox', 'sidebar'],
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
  /** A tab may be open on a channel before its owner may read it. */
  createPrivate: [
    'private_channels',
    'messages',
    'typing',
    'read_receipts',
    'screenshares',
    'channel_info',
    'sidebar',
    'people',
  ],
  renamePrivate: ['private_channels', 'messages', 'read_receipts', 'channel_info', 'sidebar'],
  addMember: [
    'private_channels',
    'messages',
    'typing',
    'read_receipts',
    'screenshares',
    'mentions',
    'running_calls',
    'sidebar',
    'channel_info',
    'people',
  ],
  /** `me`: saved messages of the channel count no more. */
  leavePrivate: [
    'me',
    'private_channels',
    'messages',
    'read_receipts',
    'mentions',
    'inbox',
    'incoming_calls',
    'running_calls',
    'typing',
    'screenshares',
    'sidebar',
    'channel_info',
    'people',
  ],
  /** The line is unread for those who have joined by default. The maker's own channels: `besides`. */
  createPublic: ['messages', 'typing', 'read_receipts', 'channel_info'],
  /** The watermark moves, and guests see those who have joined type. Own channels: `besides`. */
  joinPublic: ['typing', 'read_receipts', 'channel_info', 'people'],
  /** A guest cannot read the channel afterwards. */
  leavePublic: ['messages', 'typing', 'read_receipts', 'channel_info', 'screenshares', 'sidebar', 'people'],
  /** The sidebars of these people, and of everybody when a guest is among them: `besides`. */
  addToPublic: [
    'messages',
    'typing',
    'read_receipts',
    'channel_unreads',
    'channel_info',
    'screenshares',
    'people',
  ],
  removeFromPublic: [
    'messages',
    'typing',
    'read_receipts',
    'channel_unreads',
    'channel_info',
    'screenshares',
    'people',
  ],
  /** The sidebars of everybody when they show the change: `besides`. */
  changePublic: ['messages', 'typing', 'read_receipts', 'channel_unreads', 'channel_info'],
  changePrivate: ['messages', 'read_receipts', 'private_channels', 'channel_info', 'sidebar'],
  archivePrivate: [
    'messages',
    'typing',
    'read_receipts',
    'private_channels',
    'mentions',
    'inbox',
    'channel_info',
    'sidebar',
  ],
  /** By the operator: a channel and everything in it. */
  deleteChannel: ['messages', 'typing', 'read_receipts', 'mentions', 'inbox', 'channel_info', 'sidebar'],
  /** The sidebar of the person: `besides`. */
  changePublicManagers: ['channel_info'],
  /** Without a manager, the longest-standing member is one. */
  changePrivateManagers: ['channel_info', 'sidebar'],
  /** Into a public channel. The newcomer's own channels, and the sidebars of everybody for a guest: `besides`. */
  joinByInvitation: ['messages', 'typing', 'read_receipts', 'screenshares', 'channel_info', 'people'],
  ring: ['incoming_calls', 'running_calls'],
  answerCall: ['incoming_calls', 'running_calls'],
  /** A finished call leaves a line in its channel. */
  endDmCall: [
    'incoming_calls',
    'running_calls',
    'messages',
    'read_receipts',
    'dms',
    'unread_count',
    'sidebar',
  ],
  endPrivateCall: ['incoming_calls', 'running_calls', 'messages', 'read_receipts', 'private_channels'],
  endShare: ['screenshares'],
  startShare: ['screenshares'],
  /** Retention removes the oldest messages of a channel. */
  trim: [
    'messages',
    'dms',
    'channel_unreads',
    'private_channels',
    'unread_count',
    'mentions',
    'inbox',
    'channel_info',
  ],
  /** Calls that end with it have their own notice, `endDmCall` or `endPrivateCall`. */
  serviceStart: ['online_users', 'screenshares'],
  /** The rows of a deleted account are rewritten: open tabs get tombstones, and messages that lose a reaction. */
  finishDeletion: ['messages', 'channel_info'],
  /** Deleting an account changes what everybody sees everywhere. */
  deleteAccount: EVENT_NAMES,
} as const satisfies Record<string, readonly EventName[]>

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
  'createPrivate',
  'addMember',
  'leavePrivate',
  'changeAccess',
  'renameAccount',
  'deleteAccount',
  'deleteChannel',
]

export function noticeOf(name: WriteName, scope: Scope): Notice {
  const notice: Notice = { collections: INVALIDATES[name], ...scope }
  return MEMBERSHIP.includes(name) ? { ...notice, membership: true } : notice
}
