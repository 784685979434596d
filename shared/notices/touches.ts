import type { EventName } from '#shared/rules/payloads.ts'
import type { Notice, Scope } from './notice.ts'

/**
 * Which collections may answer differently after a write. Too many costs a query; too few loses a frame
 * (until the gateways' next look). services/api/touches.test.ts walks every write endpoint against it.
 */
export const TOUCHES = {
  /** `mentions` also for the sender, whose own watermark moves. */
  sendPublic: ['messages', 'typing', 'read_receipts', 'channel_unreads', 'mentions'],
  sendDm: ['messages', 'typing', 'read_receipts', 'dms', 'unread_count', 'mentions'],
  sendPrivate: ['messages', 'typing', 'read_receipts', 'private_channels', 'mentions'],
  edit: ['messages', 'mentions'],
  deletePublic: ['messages', 'channel_unreads', 'mentions'],
  deleteDm: ['messages', 'dms', 'unread_count', 'mentions'],
  deletePrivate: ['messages', 'private_channels', 'mentions'],
  react: ['messages'],
  markReadPublic: ['read_receipts', 'channel_unreads', 'mentions'],
  markReadDm: ['read_receipts', 'dms', 'unread_count', 'mentions'],
  markReadPrivate: ['read_receipts', 'private_channels', 'mentions'],
  closeDm: ['dms', 'unread_count'],
  typing: ['typing'],
  presence: ['online_users'],
  signUp: ['read_receipts'],
  logOut: ['online_users'],
  /** Nothing but the streams of these sessions. */
  endSessions: [],
  /** A tab may be open on a channel before its owner may read it. */
  createPrivate: ['private_channels', 'messages', 'typing', 'read_receipts', 'screenshares'],
  renamePrivate: ['private_channels', 'messages'],
  addMember: ['private_channels', 'messages', 'typing', 'read_receipts', 'screenshares', 'mentions'],
  leavePrivate: [
    'private_channels',
    'messages',
    'read_receipts',
    'mentions',
    'incoming_calls',
    'typing',
    'screenshares',
  ],
  ring: ['incoming_calls'],
  answerCall: ['incoming_calls'],
  /** A finished call leaves a line in its channel. */
  endDmCall: ['incoming_calls', 'messages', 'dms', 'unread_count'],
  endPrivateCall: ['incoming_calls', 'messages', 'private_channels'],
  endShare: ['screenshares'],
  startShare: ['screenshares'],
  /** The oldest messages of a channel are gone. */
  trim: ['messages', 'dms', 'channel_unreads', 'private_channels', 'unread_count', 'mentions'],
  /** Besides the calls that end with it, each of which is an `endDmCall` or `endPrivateCall`. */
  serviceStart: ['online_users', 'screenshares'],
  /** The rows of a deleted account are rewritten: open tabs get its tombstones, and the messages that lose a reaction. */
  finishDeletion: ['messages'],
  /** Deleting an account changes what everybody sees everywhere. */
  deleteAccount: [
    'messages',
    'typing',
    'read_receipts',
    'screenshares',
    'online_users',
    'dms',
    'channel_unreads',
    'private_channels',
    'mentions',
    'unread_count',
    'incoming_calls',
  ],
} as const satisfies Record<string, readonly EventName[]>

export type WriteName = keyof typeof TOUCHES

/** Writes after which other people may read a channel. */
const MEMBERSHIP: readonly WriteName[] = ['createPrivate', 'addMember', 'leavePrivate', 'deleteAccount']

export function noticeOf(name: WriteName, scope: Scope): Notice {
  const notice: Notice = { collections: TOUCHES[name], ...scope }
  return MEMBERSHIP.includes(name) ? { ...notice, membership: true } : notice
}
