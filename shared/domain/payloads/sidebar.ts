/** The own sidebar (interface 12.2). */
import type { ChannelId, Seconds, Username } from '../units.ts'

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
