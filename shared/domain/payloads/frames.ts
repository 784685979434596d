/** Data of the frames of GET /events (interface 6). */
import * as v from 'valibot'
import { MePayload } from './account.ts'
import { WorkspacePayload } from './administration.ts'
import { IncomingCallPayload, RunningCallPayload, ScreensharePayload } from './calls.ts'
import {
  ChannelInfoPayload,
  ChannelUnreadsPayload,
  DmPayload,
  PrivateChannelPayload,
  UnreadCountPayload,
} from './channels.ts'
import { InboxPayload, MentionPayload } from './inbox.ts'
import { MessagePayload, ReadReceiptsPayload, TypingPayload } from './messages.ts'
import { OnlineUsersPayload, PeopleChangesPayload, PresenceState } from './people.ts'
import { SidebarPayload } from './sidebar.ts'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

/** By event: the eleven events of the interface, and those that only some streams ask for. */
export const EventPayloads = v.strictObject({
  messages: v.array(MessagePayload),
  typing: TypingPayload,
  read_receipts: ReadReceiptsPayload,
  screenshares: v.array(ScreensharePayload),
  online_users: OnlineUsersPayload,
  dms: v.array(DmPayload),
  channel_unreads: ChannelUnreadsPayload,
  private_channels: v.array(PrivateChannelPayload),
  mentions: v.array(MentionPayload),
  unread_count: UnreadCountPayload,
  incoming_calls: v.array(IncomingCallPayload),
  sidebar: SidebarPayload,
  inbox: InboxPayload,
  running_calls: v.array(RunningCallPayload),
  workspace: WorkspacePayload,
  me: MePayload,
  channel_info: ChannelInfoPayload,
  people: PeopleChangesPayload,
})
export type EventPayloads = v.InferOutput<typeof EventPayloads>

/** 64-bit hash of the state after the frame, as 16 hex digits. A tab only echoes it in `known`. */
export const StateHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))
export type StateHash = v.InferOutput<typeof StateHash>

/** `full` alone, or `set` and `gone`, which are omitted when empty. */
const mapDelta = <const Value extends v.GenericSchema>(value: Value) =>
  v.strictObject({
    full: v.exactOptional(v.record(v.string(), value)),
    set: v.exactOptional(v.record(v.string(), value)),
    gone: v.exactOptional(v.array(v.string())),
    hash: StateHash,
  })

/** In place of `online_users`. */
export const PresenceDelta = mapDelta(PresenceState)
export type PresenceDelta = v.InferOutput<typeof PresenceDelta>

/** In place of `channel_unreads`. */
export const CountsDelta = mapDelta(wholeNumber)
export type CountsDelta = v.InferOutput<typeof CountsDelta>

/** The number of readers of a message, without its author, and some of their names. */
export const SeenMessage = v.strictObject({
  id: wholeNumber,
  count: wholeNumber,
  names: v.array(Username),
})
export type SeenMessage = v.InferOutput<typeof SeenMessage>

export const SeenCounts = v.strictObject({
  channel: ChannelId,
  messages: v.array(SeenMessage),
  hash: StateHash,
})
export type SeenCounts = v.InferOutput<typeof SeenCounts>

/** In place of `read_receipts`: watermarks in a small channel, counts per message in a larger one. */
export const SeenDelta = v.union([
  v.strictObject({ channel: ChannelId, ...mapDelta(Seconds).entries }),
  SeenCounts,
])
export type SeenDelta = v.InferOutput<typeof SeenDelta>

/** `at` is the sort key: DMs by it descending, then by channel; private channels by it ascending. */
export const DmEntry = v.strictObject({ ...DmPayload.entries, at: v.number() })
export type DmEntry = v.InferOutput<typeof DmEntry>

export const PrivateChannelEntry = v.strictObject({ ...PrivateChannelPayload.entries, at: v.number() })
export type PrivateChannelEntry = v.InferOutput<typeof PrivateChannelEntry>

/** In place of `private_channels`, `dms` and `unread_count`. A full frame has `set` and no `gone`. */
export const ListsDelta = v.strictObject({
  full: v.exactOptional(v.literal(true)),
  set: v.exactOptional(v.array(v.union([DmEntry, PrivateChannelEntry]))),
  gone: v.exactOptional(v.array(ChannelId)),
  /** The number of `unread_count`. */
  unread: wholeNumber,
  hash: StateHash,
})
export type ListsDelta = v.InferOutput<typeof ListsDelta>

/** Events that replace those of the interface for streams that ask for it. */
export const DeltaPayloads = v.strictObject({
  presence: PresenceDelta,
  seen: SeenDelta,
  counts: CountsDelta,
  lists: ListsDelta,
})
export type DeltaPayloads = v.InferOutput<typeof DeltaPayloads>
