/** Channels and conversations: lists, details, people, counts. */
import * as v from 'valibot'
import { ROLES } from '../roles.ts'
import { pageOf } from './page.ts'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

export const DmPayload = v.strictObject({
  channel: ChannelId,
  users: v.array(Username),
  unread: wholeNumber,
})
export type DmPayload = v.InferOutput<typeof DmPayload>

export const ChannelUnreadsPayload = v.record(v.string(), wholeNumber)
export type ChannelUnreadsPayload = v.InferOutput<typeof ChannelUnreadsPayload>

export const PrivateChannelPayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  name: v.string(),
  unread: wholeNumber,
})
export type PrivateChannelPayload = v.InferOutput<typeof PrivateChannelPayload>

/** POST /private_channels/create (interface 4.7); `skipped`: names without an account. */
export const CreatedChannelPayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  name: v.string(),
  skipped: v.exactOptional(v.array(v.string())),
})
export type CreatedChannelPayload = v.InferOutput<typeof CreatedChannelPayload>

/** GET /private_channels/<id>/members (interface 4.7). */
export const PrivateMemberPayload = v.strictObject({
  username: Username,
})
export type PrivateMemberPayload = v.InferOutput<typeof PrivateMemberPayload>

export const UnreadCountPayload = v.strictObject({
  count: wholeNumber,
})
export type UnreadCountPayload = v.InferOutput<typeof UnreadCountPayload>

/** GET /public_channels (interface 12.1). */
export const PublicChannelPayload = v.strictObject({
  channel: ChannelId,
  name: v.string(),
  topic: v.nullable(v.string()),
  description: v.nullable(v.string()),
  /** Number of active people who have joined. */
  members: wholeNumber,
  /** The caller has joined. */
  joined: v.boolean(),
  /** People join without a decision. */
  default: v.boolean(),
  posting: v.picklist(['everyone', 'managers']),
  archived: v.boolean(),
  created_by: v.nullable(Username),
  created_ts: v.nullable(Seconds),
  newest_ts: v.nullable(Seconds),
  /** With `with=writers`: at most 3 people who wrote the newest messages, newest first. */
  writers: v.exactOptional(v.array(Username)),
})
export type PublicChannelPayload = v.InferOutput<typeof PublicChannelPayload>

/** `counts` of all that the caller may read, on the first page without words. */
export const PublicChannelsPage = v.strictObject({
  ...pageOf(PublicChannelPayload).entries,
  counts: v.exactOptional(v.strictObject({ open: wholeNumber, joined: wholeNumber, archived: wholeNumber })),
})
export type PublicChannelsPage = v.InferOutput<typeof PublicChannelsPage>

/** An item of GET /private_channels?archived=1 (interface 12.1). */
export const ArchivedPrivateChannelPayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  name: v.string(),
  topic: v.nullable(v.string()),
  archived_ts: Seconds,
  /** Number of active members. */
  members: wholeNumber,
})
export type ArchivedPrivateChannelPayload = v.InferOutput<typeof ArchivedPrivateChannelPayload>

/** POST /public_channels/<channel>/add (interface 12.1). */
export const AddedPayload = v.strictObject({
  added: v.array(Username),
  skipped: v.array(v.string()),
})
export type AddedPayload = v.InferOutput<typeof AddedPayload>

export const ChannelRight = v.picklist(['post', 'manage', 'pin', 'delete_others', 'mention_everyone'])
export type ChannelRight = v.InferOutput<typeof ChannelRight>

/** GET /channel_info/<channel> (interface 12.1). Equal for all with the same rights and history. */
export const ChannelInfoPayload = v.strictObject({
  channel: ChannelId,
  kind: v.picklist(['public', 'dm', 'private']),
  /** null for DMs. */
  name: v.nullable(v.string()),
  topic: v.nullable(v.string()),
  description: v.nullable(v.string()),
  posting: v.picklist(['everyone', 'managers']),
  archived: v.boolean(),
  archived_ts: v.nullable(Seconds),
  default: v.boolean(),
  /** Number of active accounts in the channel, guests and bots included. */
  members: wholeNumber,
  guests: wholeNumber,
  bots: wholeNumber,
  managers: v.array(Username),
  may: v.array(ChannelRight),
  /** Start of the caller's history; null: the beginning. */
  history_from: v.nullable(Seconds),
  created_by: v.nullable(Username),
  created_ts: v.nullable(Seconds),
  /** Number of pinned messages in the caller's history. */
  pins: wholeNumber,
})
export type ChannelInfoPayload = v.InferOutput<typeof ChannelInfoPayload>

/** An item of GET /channel_people/<channel> (interface 12.1). */
export const ChannelPersonPayload = v.strictObject({
  username: Username,
  display_name: v.nullable(v.string()),
  role: v.picklist(ROLES),
  manager: v.boolean(),
  guest: v.boolean(),
  joined_ts: v.nullable(Seconds),
})
export type ChannelPersonPayload = v.InferOutput<typeof ChannelPersonPayload>

/** POST /mark_all_read (interface 12.2). */
export const AllReadPayload = v.strictObject({
  /** The first unread message of each channel that was marked as read. */
  channels: v.array(v.strictObject({ channel: ChannelId, message_id: wholeNumber })),
})
export type AllReadPayload = v.InferOutput<typeof AllReadPayload>

/** GET /channel_days/<channel> (interface 12.3). */
export const ChannelDaysPayload = v.strictObject({
  /** By day of the month, at most 999; days without messages are left out. */
  days: v.record(v.string(), wholeNumber),
  first_ts: v.nullable(Seconds),
  last_ts: v.nullable(Seconds),
})
export type ChannelDaysPayload = v.InferOutput<typeof ChannelDaysPayload>
