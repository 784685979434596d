/** The own account: session, preferences, settings. */
import * as v from 'valibot'
import { RIGHTS } from '../roles.ts'
import { Role, Seconds, Username, wholeNumber } from './values.ts'

/** GET /me (interface 16.1). */
export const MePayload = v.strictObject({
  username: Username,
  display_name: v.nullable(v.string()),
  title: v.nullable(v.string()),
  email: v.nullable(v.string()),
  email_verified: v.boolean(),
  role: Role,
  /** An IANA name. */
  timezone: v.nullable(v.string()),
  may: v.array(v.picklist(RIGHTS)),
  /** Another number after each change of the preferences. */
  preferences_rev: wholeNumber,
  /** Open saved messages, and those of them whose reminder came (interface 11.4). */
  saved: wholeNumber,
  due: wholeNumber,
  /** Sends that wait for their time, and those that failed in the last 30 days (interface 11.5). */
  scheduled: wholeNumber,
  failed: wholeNumber,
  /** Another number after each change of the saved messages and scheduled sends. */
  later_rev: wholeNumber,
  /** Another number after each change of the drafts. */
  drafts_rev: wholeNumber,
  /** People who wait for approval; only for admins and owners. */
  approvals: v.exactOptional(wholeNumber),
})
export type MePayload = v.InferOutput<typeof MePayload>

/** GET /session (interface 16.1): the session of the request. */
export const OwnSessionPayload = v.strictObject({
  by: v.literal('password'),
  created_ts: Seconds,
  /** Until when acts that need the password are possible; null if it was not given in this session. */
  confirmed_until: v.nullable(Seconds),
  /** Steps that the person has to take first. */
  must: v.array(v.never()),
})
export type OwnSessionPayload = v.InferOutput<typeof OwnSessionPayload>

/** GET /preferences (interface 16.2). */
export const PreferencesPayload = v.strictObject({
  /** The client shows replies that were read under the roots of their threads only. */
  fold_replies: v.boolean(),
  /** Others see what this person has read. */
  share_read: v.boolean(),
  /** Shows an owner the first tasks. */
  owner_card: v.boolean(),
  sidebar: v.strictObject({ sort: v.picklist(['recent', 'name']), hide_read: v.boolean() }),
})
export type PreferencesPayload = v.InferOutput<typeof PreferencesPayload>

/** GET /settings (interface 4.5). */
export const SettingsPayload = v.strictObject({
  /** `#rrggbb`; null is the default colour of the name. */
  name_color: v.nullable(v.string()),
  avatar_file: v.nullable(v.string()),
})
export type SettingsPayload = v.InferOutput<typeof SettingsPayload>

/** GET /sessions (interface 4.1). */
export const SessionPayload = v.strictObject({
  /** Identifies the session for DELETE /sessions/<id>; grants no access. */
  id: v.string(),
  created_ts: Seconds,
  last_seen_ts: Seconds,
  user_agent: v.string(),
  current: v.boolean(),
})
export type SessionPayload = v.InferOutput<typeof SessionPayload>
