/** Names of the events of the stream (interface 6), without the schemas of their data. */
import type { EventPayloads } from './frames.ts'

export type { EventPayloads }

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
