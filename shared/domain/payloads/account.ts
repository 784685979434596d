/** The own account: session, preferences, settings. */
import type { Right, Role } from '../roles.ts'
import type { Seconds, Username } from '../units.ts'

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

/** GET /settings (interface 4.5). */
export interface SettingsPayload {
  /** `#rrggbb`; null is the default colour of the name. */
  name_color: string | null
  avatar_file: string | null
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
