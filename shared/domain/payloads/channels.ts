/** Channels and conversations: lists, details, people, counts. */
import type { Role } from '../roles.ts'
import type { ChannelId, Seconds, Username } from '../units.ts'
import type { Page } from './page.ts'

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

export interface UnreadCountPayload {
  count: number
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

/** POST /mark_all_read (interface 12.2). */
export interface AllReadPayload {
  /** The first unread message of each channel that was marked as read. */
  channels: { channel: ChannelId; message_id: number }[]
}

/** GET /channel_days/<channel> (interface 12.3). */
export interface ChannelDaysPayload {
  /** By day of the month, at most 999; days without messages are left out. */
  days: Record<number, number>
  first_ts: Seconds | null
  last_ts: Seconds | null
}
