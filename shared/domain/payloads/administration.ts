/** The workspace, its settings and its channels for administrators. */
import type { SignupMode } from '../roles.ts'
import type { ChannelId, Seconds } from '../units.ts'
import type { Page } from './page.ts'

/** An item of GET /admin/channels (interface 17.4). */
export interface AdminChannelPayload {
  channel: ChannelId
  name: string
  kind: 'public' | 'private'
  /** Active people in it. */
  members: number
  /** Messages ever sent. */
  messages: number
  default: boolean
  posting: 'everyone' | 'managers'
  archived: boolean
  newest_ts: Seconds | null
}

export interface AdminChannelsPayload extends Page<AdminChannelPayload> {
  /** On the first page: the length of each list. */
  counts?: Record<'open' | 'private' | 'quiet' | 'archived', number>
}

/** GET /workspace (interface 17.2). */
export interface WorkspacePayload {
  name: string
  logo: string | null
  /** `#rrggbb`; null is the teal. */
  accent: string | null
  signup_mode: SignupMode
  read_receipts: boolean
  keep_edits: boolean
  /** Rises with each change of GET /emoji; 0 without emoji of the workspace. */
  emoji_rev: number
  /** Rises with each change of GET /commands. */
  commands_rev: number
  limits: {
    /** The largest file in a form. */
    file_bytes: number
    /** The largest file uploaded in parts. */
    upload_bytes: number
    file_types: 'all' | 'images'
    message_chars: number
    /** People from which on a client asks before a mention of everyone or of a group. */
    mention_guard: number
  }
  version: string
}

/** Values of a number: from `least` to `most`. */
export interface NumberBounds {
  least: number
  most: number
  /** `least` itself is excluded. */
  isAbove?: true
  /** 0 is possible besides. */
  orZero?: true
  isWhole?: true
}

/** An entry of GET /admin/settings (interface 17.2). */
export interface SettingPayload {
  key: string
  value: unknown
  default: unknown
  source: 'default' | 'file' | 'web'
  /** Cannot be changed in the client. */
  locked: boolean
  kind: 'text' | 'color' | 'number' | 'flag' | 'choice' | 'list' | 'table'
  /** The values of kind `choice`. */
  choices?: readonly string[]
  /** The values of kind `number`. */
  bounds?: NumberBounds | undefined
  help: string
}
