/** Events of the stream (interface 6). */
import type { MePayload } from './account.ts'
import type { WorkspacePayload } from './administration.ts'
import type { IncomingCallPayload, RunningCallPayload, ScreensharePayload } from './calls.ts'
import type {
  ChannelInfoPayload,
  ChannelUnreadsPayload,
  DmPayload,
  PrivateChannelPayload,
  UnreadCountPayload,
} from './channels.ts'
import type { InboxPayload, MentionPayload } from './inbox.ts'
import type { MessagePayload, ReadReceiptsPayload, TypingPayload } from './messages.ts'
import type { OnlineUsersPayload, PeopleChangesPayload } from './people.ts'
import type { SidebarPayload } from './sidebar.ts'

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
