/** People, presence, status and groups. */
import * as v from 'valibot'
import { PRESENCE_OVERRIDES, PRESENCE_STATES } from '../presence.ts'
import { ACCOUNT_KINDS } from '../roles.ts'
import { Role, Seconds, Username, wholeNumber } from './values.ts'

export const PresenceState = v.picklist(PRESENCE_STATES)
export type PresenceState = v.InferOutput<typeof PresenceState>

export const PresenceOverride = v.picklist(PRESENCE_OVERRIDES)
export type PresenceOverride = v.InferOutput<typeof PresenceOverride>

export const OnlineUsersPayload = v.record(v.string(), PresenceState)
export type OnlineUsersPayload = v.InferOutput<typeof OnlineUsersPayload>

/** PUT /status (interface 15.2); one of `emoji` and `text` at least. */
export const PersonStatus = v.strictObject({
  emoji: v.nullable(v.string()),
  text: v.nullable(v.string()),
  /** null: until it is changed. */
  until: v.nullable(Seconds),
  /** Pauses notifications. */
  quiet: v.boolean(),
})
export type PersonStatus = v.InferOutput<typeof PersonStatus>

/** An item of GET /people (interface 15.1). */
export const PersonPayload = v.strictObject({
  username: Username,
  display_name: v.nullable(v.string()),
  title: v.nullable(v.string()),
  role: Role,
  kind: v.picklist(ACCOUNT_KINDS),
  /** False for deactivated accounts. */
  active: v.boolean(),
  status: v.nullable(PersonStatus),
  timezone: v.nullable(v.string()),
})
export type PersonPayload = v.InferOutput<typeof PersonPayload>

/** GET /people. `gone`: accounts deleted after `since`, in lower case. */
export const PeoplePayload = v.strictObject({
  rev: wholeNumber,
  people: v.array(PersonPayload),
  gone: v.array(v.string()),
  /** Rises with each change of GET /groups; 0 for guests. */
  groups_rev: wholeNumber,
  /** For guests only: another value when they see other people than before. */
  sight: v.exactOptional(v.string()),
})
export type PeoplePayload = v.InferOutput<typeof PeoplePayload>

/** An item of GET /groups (interface 15.3), and of POST. */
export const GroupPayload = v.strictObject({
  handle: v.string(),
  name: v.string(),
  /** Active ones, by name. */
  members: v.array(Username),
  /** The caller is a member. */
  mine: v.boolean(),
})
export type GroupPayload = v.InferOutput<typeof GroupPayload>

/** An item of GET /bots (interface 19.3). */
export const BotPayload = v.strictObject({
  username: Username,
  display_name: v.nullable(v.string()),
  description: v.nullable(v.string()),
  /** Null after the last owner of the workspace has gone. */
  owner: v.nullable(Username),
  active: v.boolean(),
  /** The caller owns it. */
  mine: v.boolean(),
  /** Only hooks act as it: it has no token and no command. */
  of_hook: v.boolean(),
  /** When it last acted, to a minute: by a token, an incoming hook or a command. Its owner and administrators see it. */
  last_used_ts: v.exactOptional(v.nullable(Seconds)),
})
export type BotPayload = v.InferOutput<typeof BotPayload>

/** POST /bots. */
export const MadeBotPayload = v.strictObject({
  username: Username,
  /** Null in the response to a repetition: a secret is not stored. */
  token: v.nullable(v.string()),
})
export type MadeBotPayload = v.InferOutput<typeof MadeBotPayload>

/** GET /people_changes: changes of the last 30 seconds. Complete for clients that know `from_rev` or later. */
export const PeopleChangesPayload = v.strictObject({ ...PeoplePayload.entries, from_rev: wholeNumber })
export type PeopleChangesPayload = v.InferOutput<typeof PeopleChangesPayload>

/** GET /profile/<username> (interface 4.5). */
export const ProfilePayload = v.strictObject({
  username: Username,
  name_color: v.nullable(v.string()),
  avatar: v.boolean(),
  state: PresenceState,
  created_ts: Seconds,
})
export type ProfilePayload = v.InferOutput<typeof ProfilePayload>
