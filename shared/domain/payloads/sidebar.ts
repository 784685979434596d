/** The own sidebar (interface 12.2). */
import * as v from 'valibot'
import { CHANNEL_LEVELS } from '../channel-level.ts'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

export const SidebarSectionPayload = v.strictObject({
  id: wholeNumber,
  name: v.string(),
  collapsed: v.boolean(),
})
export type SidebarSectionPayload = v.InferOutput<typeof SidebarSectionPayload>

export const SidebarChannelPayload = v.strictObject({
  channel: ChannelId,
  kind: v.picklist(['public', 'private', 'dm']),
  /** null for DMs, which have `users` instead. */
  name: v.nullable(v.string()),
  users: v.exactOptional(v.array(Username)),
  level: v.picklist(CHANNEL_LEVELS),
  /** When the mute ends; null without one. */
  muted_until: v.nullable(v.union([Seconds, v.literal('forever')])),
  favourite: v.boolean(),
  /** The person's section; null: the usual place. */
  section: v.nullable(wholeNumber),
  /** Ascending within favourites, a section or the usual place; those without a position follow. */
  position: v.nullable(wholeNumber),
  /** The time of the message that the person marked as unread; null without a mark. */
  marked_unread: v.nullable(Seconds),
  posting: v.picklist(['everyone', 'managers']),
  may_post: v.boolean(),
  /** A guest is in the channel. */
  guests: v.boolean(),
})
export type SidebarChannelPayload = v.InferOutput<typeof SidebarChannelPayload>

/** GET /sidebar (interface 12.2): the joined channels and visible DMs; without counts. */
export const SidebarPayload = v.strictObject({
  /** Rises with each change that the person makes: a payload with a lower one is older. */
  rev: wholeNumber,
  /** In the person's order. */
  sections: v.array(SidebarSectionPayload),
  channels: v.array(SidebarChannelPayload),
})
export type SidebarPayload = v.InferOutput<typeof SidebarPayload>
