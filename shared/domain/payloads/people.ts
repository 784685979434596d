/** People, presence, status and groups. */
import type { AccountKind, Role } from '../roles.ts'
import type { Seconds, Username } from '../units.ts'

export type PresenceState = 'active' | 'idle' | 'hidden' | 'offline'

export type PresenceOverride = 'active' | 'idle' | 'offline'

export type OnlineUsersPayload = Record<Username, PresenceState>

/** PUT /status (interface 15.2); one of `emoji` and `text` at least. */
export interface PersonStatus {
  emoji: string | null
  text: string | null
  /** null: until it is changed. */
  until: Seconds | null
  /** Pauses notifications. */
  quiet: boolean
}

/** An item of GET /people (interface 15.1). */
export interface PersonPayload {
  username: Username
  display_name: string | null
  title: string | null
  role: Role
  kind: AccountKind
  /** False for deactivated accounts. */
  active: boolean
  status: PersonStatus | null
  timezone: string | null
}

/** GET /people. `gone`: accounts deleted after `since`, in lower case. */
export interface PeoplePayload {
  rev: number
  people: PersonPayload[]
  gone: string[]
  /** Rises with each change of GET /groups; 0 for guests. */
  groups_rev: number
  /** For guests only: another value when they see other people than before. */
  sight?: string
}

/** An item of GET /groups (interface 15.3), and of POST. */
export interface GroupPayload {
  handle: string
  name: string
  /** Active ones, by name. */
  members: Username[]
  /** The caller is a member. */
  mine: boolean
}

/** An item of GET /bots (interface 19.3). */
export interface BotPayload {
  username: Username
  display_name: string | null
  description: string | null
  /** Null after the last owner of the workspace has gone. */
  owner: Username | null
  active: boolean
  /** The caller owns it. */
  mine: boolean
}

/** POST /bots. */
export interface MadeBotPayload {
  username: Username
  /** Null in the response to a repetition: a secret is not stored. */
  token: string | null
}

/** GET /people_changes: changes of the last 30 seconds. Complete for clients that know `from_rev` or later. */
export interface PeopleChangesPayload extends PeoplePayload {
  from_rev: number
}

/** GET /profile/<username> (interface 4.5). */
export interface ProfilePayload {
  username: Username
  name_color: string | null
  avatar: boolean
  state: PresenceState
  created_ts: Seconds
}
