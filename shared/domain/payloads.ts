/**
 * Types of the interface's JSON: responses of api, frames of events, input of the client. Records keyed by user or
 * channel names have a null prototype on the server: `__proto__` is a valid username.
 */
import type { CallState, ParticipantRole, ParticipantState } from './calls.ts'
import type { AccountKind, Right, Role, SignupMode } from './roles.ts'
import type { SearchProblem } from './search-query.ts'
import type { ChannelId, Seconds, Username } from './units.ts'

/** Interface 2.3 and 4.3. Rows come ordered by `ts`, then `id`. */
export interface MessagePayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  filename: string | null
  ts: Seconds
  edited: 0 | 1
  edited_ts: Seconds | null
  deleted: 0 | 1
  deleted_ts: Seconds | null
  reply_to_id: number | null
  /** JSON text of {emoji: [username, …]} in order of first use; null when there are none. */
  reactions: string | null
  reactions_ts: Seconds | null
  /** JSON text of [username, …] or ["@everyone"]; null when no one is mentioned. */
  mentions: string | null
  content_type: 'text' | 'system'
  /** Only for those who ask for it (interface 11.6). */
  extra?: MessageExtra
}

/** Details of a message for extensions, equal for all viewers. */
export interface MessageExtra {
  /** On the tombstone that a moderator left. */
  removed_by?: Username
  /** Handles of the groups that the text mentions, as they were then. */
  groups?: string[]
  /** On a reply: the root of its thread. */
  thread?: number
  /** From the second row of a send on: its place. */
  part?: number
  /** On the root of a thread. */
  replies?: RepliesCount
  /** On rows sent with `files=all`. */
  file?: MessageFile
  /** Sent with `quiet=1`: nobody is notified. */
  quiet?: true
  /** On a pinned message: who pinned it, and when (interface 11.3). */
  pinned?: { by: string; ts: Seconds }
  /** On a forwarded message. */
  forward?: MessageForward
}

/** The source of a forwarded message, as it was then (interface 11.1). */
export interface MessageForward {
  id: number
  /** null unless it is a public channel. */
  channel: ChannelId | null
  sender: string
  ts: Seconds
}

/** The file of a message (interface 13.1). */
export interface MessageFile {
  name: string
  size: number
  type: string
  width?: number
  height?: number
}

/** An item of GET /channel_files/<channel>. */
export interface ChannelFilePayload extends MessageFile {
  message_id: number
  /** The stored name, for /files. */
  name: string
  original_name: string
  sender: string
  ts: Seconds
}

/** GET /channel_files/<channel>. */
export interface ChannelFilesPayload extends Page<ChannelFilePayload> {
  /** On the first page without filters: the number of files, at most 1,000. */
  total?: number
}

/** PUT and PATCH /uploads/<id>. */
export interface UploadPayload {
  /** Bytes that the server has. */
  offset: number
  size: number
  /** The largest part. */
  part_bytes: number
}

export type ReactionsPayload = Record<string, Username[]>
export type TypingPayload = Username[]
/** Everybody's watermark in a channel (interface 4.3). */
export type ReadReceiptsPayload = Record<Username, Seconds>
export interface ScreensharePayload {
  share_id: string
  channel: ChannelId
  sharer: Username
  started_ts: Seconds
}
export type PresenceState = 'active' | 'idle' | 'hidden' | 'offline'
export type PresenceOverride = 'active' | 'idle' | 'offline'
export type OnlineUsersPayload = Record<Username, PresenceState>
export interface DmPayload {
  channel: ChannelId
  users: Username[]
  unread: number
}
export type ChannelUnreadsPayload = Record<ChannelId, number>
export interface PrivateChannelPayload {
  id: number
  channel: ChannelId
  name: string
  unread: number
}
/** Lists embedded in the client's page, named after the endpoints that return the same. */
export interface FirstListsPayload {
  channels: ChannelId[]
  private_channels: PrivateChannelPayload[]
  dms: DmPayload[]
  channel_unreads: ChannelUnreadsPayload
  sidebar: SidebarPayload
  workspace?: WorkspacePayload | undefined
  me?: MePayload | undefined
}
/** POST /private_channels/create (interface 4.7); `skipped`: names without an account. */
export interface CreatedChannelPayload {
  id: number
  channel: ChannelId
  name: string
  skipped?: string[]
}
/** GET /private_channels/<id>/members (interface 4.7). */
export interface PrivateMemberPayload {
  username: Username
}
export interface MentionPayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  filename: string | null
  ts: Seconds
}
export interface UnreadCountPayload {
  count: number
}
export interface IncomingCallPayload {
  call_id: string
  channel: ChannelId
  initiator: Username
  started_ts: Seconds
}

/** GET /public_channels (interface 12.1). */
export interface PublicChannelPayload {
  channel: ChannelId
  name: string
  topic: string | null
  description: string | null
  /** Number of active people who have joined. */
  members: number
  /** The caller has joined. */
  joined: boolean
  /** People join without a decision. */
  default: boolean
  posting: 'everyone' | 'managers'
  archived: boolean
  created_by: Username | null
  created_ts: Seconds | null
  newest_ts: Seconds | null
  /** With `with=writers`: at most 3 people who wrote the newest messages, newest first. */
  writers?: Username[]
}

/** `counts` of all that the caller may read, on the first page without words. */
export interface PublicChannelsPage extends Page<PublicChannelPayload> {
  counts?: { open: number; joined: number; archived: number }
}

/** An item of GET /private_channels?archived=1 (interface 12.1). */
export interface ArchivedPrivateChannelPayload {
  id: number
  channel: ChannelId
  name: string
  topic: string | null
  archived_ts: Seconds
  /** Number of active members. */
  members: number
}

/** An item of GET /admin/channels (interface 17.4). */
export interface AdminChannelPayload {
  channel: ChannelId
  name: string
  kind: 'public' | 'private'
  /** Active people in it. */
  members: number
  /** Messages ever sent. */
  messages: number
  default: boolean
  posting: 'everyone' | 'managers'
  archived: boolean
  newest_ts: Seconds | null
}

export interface AdminChannelsPayload extends Page<AdminChannelPayload> {
  /** On the first page: the length of each list. */
  counts?: Record<'open' | 'private' | 'quiet' | 'archived', number>
}

/** POST /public_channels/<channel>/add (interface 12.1). */
export interface AddedPayload {
  added: Username[]
  skipped: string[]
}

/** GET /channel_info/<channel> (interface 12.1). Equal for all with the same rights and history. */
export interface ChannelInfoPayload {
  channel: ChannelId
  kind: 'public' | 'dm' | 'private'
  /** null for DMs. */
  name: string | null
  topic: string | null
  description: string | null
  posting: 'everyone' | 'managers'
  archived: boolean
  archived_ts: Seconds | null
  default: boolean
  /** Number of active people in the channel, guests included. */
  members: number
  guests: number
  managers: Username[]
  may: ChannelRight[]
  /** Start of the caller's history; null: the beginning. */
  history_from: Seconds | null
  created_by: Username | null
  created_ts: Seconds | null
  /** Number of pinned messages in the caller's history. */
  pins: number
}
export type ChannelRight = 'post' | 'manage' | 'pin' | 'delete_others' | 'mention_everyone'

/** An item of GET /channel_people/<channel> (interface 12.1). */
export interface ChannelPersonPayload {
  username: Username
  display_name: string | null
  role: Role
  manager: boolean
  guest: boolean
  joined_ts: Seconds | null
}

/** PUT /status (interface 15.2); one of `emoji` and `text` at least. */
export interface PersonStatus {
  emoji: string | null
  text: string | null
  /** null: until it is changed. */
  until: Seconds | null
  /** Pauses notifications. */
  quiet: boolean
}

/** An item of GET /people (interface 15.1). */
export interface PersonPayload {
  username: Username
  display_name: string | null
  title: string | null
  role: Role
  kind: AccountKind
  /** False for deactivated accounts. */
  active: boolean
  status: PersonStatus | null
  timezone: string | null
}

/** GET /people. `gone`: accounts deleted after `since`, in lower case. */
export interface PeoplePayload {
  rev: number
  people: PersonPayload[]
  gone: string[]
  /** Rises with each change of GET /groups; 0 for guests. */
  groups_rev: number
  /** For guests only: another value when they see other people than before. */
  sight?: string
}

/** An item of GET /groups (interface 15.3), and of POST. */
export interface GroupPayload {
  handle: string
  name: string
  /** Active ones, by name. */
  members: Username[]
  /** The caller is a member. */
  mine: boolean
}

/** GET /people_changes: changes of the last 30 seconds. Complete for clients that know `from_rev` or later. */
export interface PeopleChangesPayload extends PeoplePayload {
  from_rev: number
}

/** A page of a list (interface 10). */
export interface Page<Item> {
  items: Item[]
  next: string | null
}

/** GET /sidebar (interface 12.2): the joined channels and visible DMs; without counts. */
export interface SidebarPayload {
  /** Rises with each change that the person makes: a payload with a lower one is older. */
  rev: number
  /** In the person's order. */
  sections: SidebarSectionPayload[]
  channels: SidebarChannelPayload[]
}
export interface SidebarSectionPayload {
  id: number
  name: string
  collapsed: boolean
}
/** Messages of a channel that notify; `default`: as the person chose for all channels. */
export const CHANNEL_LEVELS = ['default', 'all', 'mentions', 'nothing'] as const
export type ChannelLevel = (typeof CHANNEL_LEVELS)[number]
export interface SidebarChannelPayload {
  channel: ChannelId
  kind: 'public' | 'private' | 'dm'
  /** null for DMs, which have `users` instead. */
  name: string | null
  users?: Username[]
  level: ChannelLevel
  /** When the mute ends; null without one. */
  muted_until: Seconds | 'forever' | null
  favourite: boolean
  /** The person's section; null: the usual place. */
  section: number | null
  /** Ascending within favourites, a section or the usual place; those without a position follow. */
  position: number | null
  /** The time of the message that the person marked as unread; null without a mark. */
  marked_unread: Seconds | null
  posting: 'everyone' | 'managers'
  may_post: boolean
  /** A guest is in the channel. */
  guests: boolean
}

/** GET /workspace (interface 17.2). */
export interface WorkspacePayload {
  name: string
  logo: string | null
  /** `#rrggbb`; null is the teal. */
  accent: string | null
  signup_mode: SignupMode
  read_receipts: boolean
  keep_edits: boolean
  /** Rises with each change of GET /emoji; 0 without emoji of the workspace. */
  emoji_rev: number
  limits: {
    /** The largest file in a form. */
    file_bytes: number
    /** The largest file uploaded in parts. */
    upload_bytes: number
    file_types: 'all' | 'images'
    message_chars: number
    /** People from which on a client asks before a mention of everyone or of a group. */
    mention_guard: number
  }
  version: string
}

/** GET /me (interface 16.1). */
export interface MePayload {
  username: Username
  display_name: string | null
  title: string | null
  email: string | null
  email_verified: boolean
  role: Role
  /** An IANA name. */
  timezone: string | null
  may: Right[]
  /** Another number after each change of the preferences. */
  preferences_rev: number
  /** Open saved messages, and those of them whose reminder came (interface 11.4). */
  saved: number
  due: number
  /** Sends that wait for their time, and those that failed in the last 30 days (interface 11.5). */
  scheduled: number
  failed: number
  /** Another number after each change of the saved messages and scheduled sends. */
  later_rev: number
  /** Another number after each change of the drafts. */
  drafts_rev: number
  /** People who wait for approval; only for admins and owners. */
  approvals?: number
}

/** GET /session (interface 16.1): the session of the request. */
export interface OwnSessionPayload {
  by: 'password'
  created_ts: Seconds
  /** Until when acts that need the password are possible; null if it was not given in this session. */
  confirmed_until: Seconds | null
  /** Steps that the person has to take first. */
  must: never[]
}

/** Values of a number: from `least` to `most`. */
export interface NumberBounds {
  least: number
  most: number
  /** `least` itself is excluded. */
  isAbove?: true
  /** 0 is possible besides. */
  orZero?: true
  isWhole?: true
}

/** An entry of GET /admin/settings (interface 17.2). */
export interface SettingPayload {
  key: string
  value: unknown
  default: unknown
  source: 'default' | 'file' | 'web'
  /** Cannot be changed in the client. */
  locked: boolean
  kind: 'text' | 'color' | 'number' | 'flag' | 'choice' | 'list' | 'table'
  /** The values of kind `choice`. */
  choices?: readonly string[]
  /** The values of kind `number`. */
  bounds?: NumberBounds | undefined
  help: string
}

/** POST /mark_all_read (interface 12.2). */
export interface AllReadPayload {
  /** The first unread message of each channel that was marked as read. */
  channels: { channel: ChannelId; message_id: number }[]
}

/** The eleven events of interface 6, the events that only some streams ask for, and what each carries. */
export interface EventPayloads {
  messages: MessagePayload[]
  typing: TypingPayload
  read_receipts: ReadReceiptsPayload
  screenshares: ScreensharePayload[]
  online_users: OnlineUsersPayload
  dms: DmPayload[]
  channel_unreads: ChannelUnreadsPayload
  private_channels: PrivateChannelPayload[]
  mentions: MentionPayload[]
  unread_count: UnreadCountPayload
  incoming_calls: IncomingCallPayload[]
  sidebar: SidebarPayload
  inbox: InboxPayload
  running_calls: RunningCallPayload[]
  workspace: WorkspacePayload
  me: MePayload
  channel_info: ChannelInfoPayload
  people: PeopleChangesPayload
}

export type EventName = keyof EventPayloads

export const EVENT_NAMES = Object.keys({
  messages: true,
  typing: true,
  read_receipts: true,
  screenshares: true,
  online_users: true,
  dms: true,
  channel_unreads: true,
  private_channels: true,
  mentions: true,
  unread_count: true,
  incoming_calls: true,
  sidebar: true,
  inbox: true,
  running_calls: true,
  workspace: true,
  me: true,
  channel_info: true,
  people: true,
} satisfies Record<EventName, true>) as readonly EventName[]

/** Kinds of the inbox (interface 14.2). */
export const INBOX_KINDS = ['mention', 'reply', 'reaction', 'added', 'reminder', 'failed'] as const
export type InboxKind = (typeof INBOX_KINDS)[number]

export interface InboxItem {
  /** `m<message id>` for mentions, `s<id>` for scheduled sends that failed. */
  id: string
  kind: InboxKind
  channel: ChannelId
  /** null for a scheduled send that failed. */
  message_id: number | null
  /** The root of the thread of a reply; null for other messages. */
  root_id: number | null
  /** The newest three at most. */
  actors: string[]
  /** Number of people who did it. */
  count: number
  /** At most 300 characters. */
  content: string
  /** `content` is the name of a file, not a text with marks. Absent otherwise. */
  is_file?: boolean
  ts: Seconds
  read: boolean
  /** Present in items of kind `failed` only. */
  why?: ScheduledFailure
}

/** GET /inbox (interface 14.2), newest first. `unread` counts all but reactions, `threads` followed ones with some. */
export interface InboxPayload {
  unread: number
  threads: number
  items: InboxItem[]
  next: string | null
}

/** Living replies in the thread of a message (interface 11.2). */
export interface RepliesCount {
  count: number
  last_id: number
  last_ts: Seconds
  /** The authors of the latest replies, latest first, three at most. */
  people: string[]
}

/** GET /linked_messages (interface 10). */
export interface LinkedMessagesPayload {
  /** `mark`: to be sent with the next request for the message. */
  items: { mark: string; message: MessagePayload }[]
  unreadable: number[]
  /** Readable ones beyond the bytes of a page, to be requested again. */
  left?: number[]
}

/** GET /emoji (interface 13.2). */
export interface CustomEmojiPayload {
  name: string
  url: string
  animated: boolean
  /** Null for a deleted account, and for one that the viewer does not see. */
  created_by: Username | null
}

/** GET /channel_days/<channel> (interface 12.3). */
export interface ChannelDaysPayload {
  /** By day of the month, at most 999; days without messages are left out. */
  days: Record<number, number>
  first_ts: Seconds | null
  last_ts: Seconds | null
}

/** GET /message/<id>/edits (interface 11.7), oldest first; the last one is the present text. */
export interface EditPayload {
  ts: Seconds
  content: string
}

/** GET /pins/<channel> (interface 11.3). */
export interface PinsPayload {
  items: MessagePayload[]
  next: string | null
}

/** An item of GET /saved (interface 11.4). */
export interface SavedPayload {
  message: MessagePayload
  saved_ts: Seconds
  remind_ts: Seconds | null
  done_ts: Seconds | null
  note: string | null
}

/** An item of GET /scheduled (interface 11.5). */
export interface ScheduledPayload {
  id: number
  channel: ChannelId
  text: string
  reply_to_id: number | null
  send_ts: Seconds
  created_ts: Seconds
  state: 'waiting' | 'sent' | 'failed'
  failed_why: ScheduledFailure | null
}
export type ScheduledFailure =
  | 'too_late'
  | 'no_access'
  | 'archived'
  | 'read_only'
  | 'deactivated'
  | 'too_long'

/** An item of GET /drafts (interface 11.5). */
export interface DraftPayload {
  channel: ChannelId
  /** The root of a thread; 0: none. */
  thread_id: number
  text: string
  updated_ts: Seconds
}

/** GET /thread/<message id> (interface 11.2). */
export interface ThreadPayload {
  /** Null if the reader may not see it, or it was removed. */
  root: MessagePayload | null
  /** Oldest first. */
  rows: MessagePayload[]
  /** There are older rows. */
  more: boolean
  following: boolean
  last_read_id: number
  unread: number
  /** Names of the people who wrote in it, at most 100; only with the newest rows. */
  people?: Username[]
}

/** An item of GET /threads (interface 11.2). */
export interface FollowedThread {
  id: number
  channel: ChannelId
  root: MessagePayload | null
  replies: number
  /** The newest reply. */
  last: MessagePayload | null
  last_ts: Seconds
  people: string[]
  unread: number
  /** Ids of unread replies that mention the viewer or everyone, at most the newest 100. Older servers leave it out. */
  mentioned?: number[]
  following: true
}

/** POST /threads/read (interface 11.2). */
export interface ThreadsReadPayload {
  /** Unread threads may be left: repeat the request. */
  more: boolean
}

/** GET /threads, newest reply first. */
export interface ThreadsPayload {
  items: FollowedThread[]
  next: string | null
}

/** GET /preferences (interface 16.2). */
export interface PreferencesPayload {
  /** The client shows replies that were read under the roots of their threads only. */
  fold_replies: boolean
  /** Others see what this person has read. */
  share_read: boolean
  /** Shows an owner the first tasks. */
  owner_card: boolean
  sidebar: { sort: 'recent' | 'name'; hide_read: boolean }
}

/** GET /message/<id> (interface 4.3). */
export interface SingleMessagePayload {
  id: number
  sender: string
  content: string | null
  filename: string | null
  deleted: 0 | 1
}

/** GET /seen/<message id> (an extension): the readers of a message, at most 100 names per page. */
export interface SeenPayload {
  /** The total number of readers. */
  count: number
  names: Username[]
  /** Requests the next page; null on the last. */
  cursor: string | null
}

/** GET /search_messages (interface 4.3). */
export interface SearchResultPayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  ts: Seconds
}

/** GET /search (interface 14.1). */
export interface SearchPayload {
  items: SearchHitPayload[]
  /** Requests the next page; null on the last. */
  next: string | null
  /** The count of all pages, at most 1,000; `more` if there are or may be others. */
  total: number
  total_is: 'exact' | 'more'
  /** False if a bounded scan ended before the last message. */
  complete: boolean
  /** Where the scan ended, in whole seconds; absent if it is complete. */
  searched_back_to?: Seconds
  parsed: { problems: SearchProblem[] }
}
export interface SearchHitPayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  ts: Seconds
  /** The root of the thread; null for messages that reply to none. */
  thread: number | null
  /** The stored name of the file. */
  file: string | null
  /** Its original name; null for older images. */
  file_name: string | null
  /** Ranges of `content` that match a word, in UTF-16 units. */
  match: [start: number, end: number][]
}

/** POST /calls/initiate (interface 4.8). */
export interface NewCallPayload {
  call_id: string
  /** Everybody invited, the caller first. */
  participants: Username[]
}

/** POST /calls/<call_id>/accept: the participants who accepted. */
export interface AcceptedCallPayload {
  status: 'ok'
  participants: Username[]
}

/** GET /calls/<call_id>/state (interface 4.8). */
export interface CallStatePayload {
  call_id: string
  channel: ChannelId
  initiator: Username
  state: CallState
  started_ts: Seconds
  answered_ts: Seconds | null
  ended_ts: Seconds | null
  /** Empty without a share. */
  screenshare_user: Username | ''
  participants: CallParticipantPayload[]
}
export interface CallParticipantPayload {
  username: Username
  role: ParticipantRole
  state: ParticipantState
  joined_ts: Seconds | null
  left_ts: Seconds | null
  invited_ts: Seconds
}

/** GET /running_calls (an extension): a call in progress that the viewer may join, or is asked into. */
export interface RunningCallPayload {
  call_id: string
  channel: ChannelId
  initiator: Username
  state: 'ringing' | 'active'
  /** Begun with the camera. */
  video: boolean
  started_ts: Seconds
  answered_ts: Seconds | null
  /** When it stops to ring for the viewer; null when it does not ring for them. */
  rings_until: Seconds | null
  /** Present and pending participants in the order of their first invitation. */
  participants: { username: Username; state: 'accepted' | 'pending' }[]
}

export type SignalType = 'offer' | 'answer' | 'ice_candidate'

/** GET /calls/<call_id>/signals and GET /screenshare/<share_id>/signals. */
export interface SignalPayload {
  id: number
  from: Username
  type: SignalType
  payload: Record<string, unknown>
  ts: Seconds
}

/** GET /calls/<call_id>/media (interface 4.10); `data` and `init` are base64. */
export interface MediaPayload {
  mime_type: string | null
  init: string | null
  chunks: { seq: number; data: string }[]
}
/** GET /screenshare/<share_id>/media. */
export interface ShareMediaPayload extends MediaPayload {
  active: boolean
}

/** GET /settings (interface 4.5). */
export interface SettingsPayload {
  /** `#rrggbb`; null is the default colour of the name. */
  name_color: string | null
  avatar_file: string | null
}

/** GET /profile/<username> (interface 4.5). */
export interface ProfilePayload {
  username: Username
  name_color: string | null
  avatar: boolean
  state: PresenceState
  created_ts: Seconds
}

/** GET /sessions (interface 4.1). */
export interface SessionPayload {
  /** Identifies the session for DELETE /sessions/<id>; grants no access. */
  id: string
  created_ts: Seconds
  last_seen_ts: Seconds
  user_agent: string
  current: boolean
}

/** GET /client_config (interface 8). */
export interface ClientConfigPayload {
  max_file_bytes: number
  max_avatar_bytes: number
  max_message_chars: number
  /** Messages older than this many days are deleted; 0: never. */
  retention_days?: number
  ice_servers: { urls: string[] }[]
  version: string
  /** SHA-256 fingerprint of the certificate that devices must trust (/trust); null if there is none. */
  authority?: string | null
  /** Origin for other people; null if only the machine of the server can open this one. */
  address?: string | null
}

/** GET /version (interface 9). */
export interface VersionPayload {
  version: string
  commit: string
  api: 1
  /** The first script of the client that this server serves: a tab running another one has another build. */
  client: string | null
}

/** Interface 2.9: the preview below a message with a link. Untrusted: it comes from third-party pages. */
export type LinkPreviewPayload = CodePreviewPayload | OgPreviewPayload | Record<string, never>

export interface CodePreviewPayload {
  type: 'code'
  filename: string
  /** Path within the repository; outside of one, the name. */
  filepath: string
  language: string
  /** The number of the first line of `code`, from 1. */
  first_line_num: number
  /** The lines that the address names, within the file; null when it names none. They may extend past `code`. */
  highlight_start: number | null
  highlight_end: number | null
  code: string
  /** Lines within the part read: 512 KiB at most (interface 4.4). */
  total_lines: number
  url: string
}

export interface OgPreviewPayload {
  type: 'og'
  title: string
  /** Empty when there is none. */
  description: string
  /** The picture's address on this server; empty when there is none. */
  image: string
  /** The host of the page after redirects. */
  domain: string
  /** The requested address. */
  url: string
}
