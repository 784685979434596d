/** The workspace, its settings and its channels for administrators. */
import * as v from 'valibot'
import { ACCOUNT_KINDS, ACCOUNT_STATES, SIGNUP_MODES } from '../roles.ts'
import { pageOf } from './page.ts'
import { ChannelId, Role, Seconds, Username, wholeNumber } from './values.ts'

/** An item of GET /admin/people (interface 17.3). */
export const AccountPayload = v.strictObject({
  username: Username,
  display_name: v.nullable(v.string()),
  title: v.nullable(v.string()),
  email: v.nullable(v.string()),
  role: Role,
  state: v.picklist(ACCOUNT_STATES),
  kind: v.picklist(ACCOUNT_KINDS),
  created_ts: Seconds,
  /** To the minute; null for somebody never seen. */
  last_seen_ts: v.nullable(Seconds),
  sessions: wholeNumber,
  second_factor: v.boolean(),
  invited_by: v.nullable(Username),
})
export type AccountPayload = v.InferOutput<typeof AccountPayload>

export const AccountsPayload = v.strictObject({
  ...pageOf(AccountPayload).entries,
  /** Numbers of all accounts of persons, the active ones by role; on the first page only. */
  counts: v.exactOptional(
    v.strictObject({
      owner: wholeNumber,
      admin: wholeNumber,
      member: wholeNumber,
      guest: wholeNumber,
      deactivated: wholeNumber,
    }),
  ),
})
export type AccountsPayload = v.InferOutput<typeof AccountsPayload>

/** An item of GET /invites, and of POST (interface 16.4). */
export const InvitePayload = v.strictObject({
  id: wholeNumber,
  code: v.string(),
  url: v.string(),
  role: v.picklist(['member', 'guest']),
  channels: v.array(ChannelId),
  note: v.nullable(v.string()),
  created_by: Username,
  created_ts: Seconds,
  expires_ts: v.nullable(Seconds),
  max_uses: v.nullable(wholeNumber),
  uses: wholeNumber,
  valid: v.boolean(),
  /** In lists: the reason for which it is not valid. */
  ended: v.exactOptional(v.nullable(v.picklist(['revoked', 'expired', 'used', 'maker']))),
})
export type InvitePayload = v.InferOutput<typeof InvitePayload>

/** An item of GET /admin/audit (interface 17.4). */
export const AuditPayload = v.strictObject({
  id: wholeNumber,
  ts: Seconds,
  actor: v.string(),
  actor_kind: v.string(),
  action: v.string(),
  target: v.nullable(v.string()),
  channel: v.nullable(ChannelId),
  detail: v.record(v.string(), v.unknown()),
  address: v.nullable(v.string()),
})
export type AuditPayload = v.InferOutput<typeof AuditPayload>

/** GET /admin/stats (interface 17.4). People are active accounts, guests among them. */
export const StatsPayload = v.strictObject({
  people: wholeNumber,
  guests: wholeNumber,
  bots: wholeNumber,
  active_1d: wholeNumber,
  active_7d: wholeNumber,
  active_30d: wholeNumber,
  messages: wholeNumber,
  /** Days in UTC, oldest first, today last. */
  messages_per_day: v.array(v.strictObject({ day: v.string(), count: wholeNumber })),
  attachments_bytes: wholeNumber,
  database_bytes: wholeNumber,
  /** By messages of the last 30 days. */
  top_channels: v.array(v.strictObject({ channel: ChannelId, count: wholeNumber })),
})
export type StatsPayload = v.InferOutput<typeof StatsPayload>

/** An item of GET /admin/backups (interface 17.4). */
export const BackupPayload = v.strictObject({
  id: wholeNumber,
  asked_by: v.nullable(Username),
  asked_ts: Seconds,
  started_ts: v.nullable(Seconds),
  done_ts: v.nullable(Seconds),
  ok: v.boolean(),
  verified_ts: v.nullable(Seconds),
  seconds_to_restore: v.nullable(v.number()),
  bytes: v.nullable(wholeNumber),
  /** Name of the backup within `folder`; null if none was completed. */
  name: v.nullable(v.string()),
  /** Counts of the comparison, or the fault. */
  report: v.looseObject({
    rows: v.exactOptional(wholeNumber),
    tables: v.exactOptional(wholeNumber),
    files: v.exactOptional(wholeNumber),
    /** Migrations of a newer release, which a restore needs. */
    newer: v.exactOptional(v.array(v.string())),
    missing: v.exactOptional(v.looseObject({ count: wholeNumber })),
    seconds: v.exactOptional(v.number()),
    fault: v.exactOptional(v.string()),
    killed: v.exactOptional(v.boolean()),
  }),
})
export type BackupPayload = v.InferOutput<typeof BackupPayload>

export const BackupsPayload = v.strictObject({
  items: v.array(BackupPayload),
  next_at: v.nullable(Seconds),
  folder: v.nullable(v.string()),
  /** Why the janitor makes no backups; null if it does. */
  problem: v.nullable(v.picklist(['not_started', 'no_folder', 'not_writable'])),
  /** The problem, or the last proof, in words. */
  say: v.string(),
})
export type BackupsPayload = v.InferOutput<typeof BackupsPayload>

const amounts = { messages: wholeNumber, files: wholeNumber, bytes: wholeNumber }

/** GET /admin/retention: amounts that a retention setting would delete now (interface 17.2). */
export const RetentionPreview = v.strictObject({
  ...amounts,
  /** Number of entries of the audit log. */
  entries: wholeNumber,
  /** Most first. Private channels and DMs are one item, without a channel. */
  channels: v.array(v.strictObject({ channel: v.nullable(ChannelId), ...amounts })),
})
export type RetentionPreview = v.InferOutput<typeof RetentionPreview>

/** An item of GET /admin/channels (interface 17.4). */
export const AdminChannelPayload = v.strictObject({
  channel: ChannelId,
  name: v.string(),
  kind: v.picklist(['public', 'private']),
  /** Active people in it. */
  members: wholeNumber,
  /** Messages ever sent. */
  messages: wholeNumber,
  default: v.boolean(),
  posting: v.picklist(['everyone', 'managers']),
  archived: v.boolean(),
  newest_ts: v.nullable(Seconds),
})
export type AdminChannelPayload = v.InferOutput<typeof AdminChannelPayload>

export const AdminChannelsPayload = v.strictObject({
  ...pageOf(AdminChannelPayload).entries,
  /** On the first page: the length of each list. */
  counts: v.exactOptional(
    v.strictObject({ open: wholeNumber, private: wholeNumber, quiet: wholeNumber, archived: wholeNumber }),
  ),
})
export type AdminChannelsPayload = v.InferOutput<typeof AdminChannelsPayload>

/** GET /workspace (interface 17.2). */
export const WorkspacePayload = v.strictObject({
  name: v.string(),
  logo: v.nullable(v.string()),
  /** `#rrggbb`; null is the teal. */
  accent: v.nullable(v.string()),
  signup_mode: v.picklist(SIGNUP_MODES),
  read_receipts: v.boolean(),
  keep_edits: v.boolean(),
  /** Rises with each change of GET /emoji; 0 without emoji of the workspace. */
  emoji_rev: wholeNumber,
  /** Rises with each change of GET /commands. */
  commands_rev: wholeNumber,
  limits: v.strictObject({
    /** The largest file in a form. */
    file_bytes: wholeNumber,
    /** The largest file uploaded in parts. */
    upload_bytes: wholeNumber,
    file_types: v.picklist(['all', 'images']),
    message_chars: wholeNumber,
    /** People from which on a client asks before a mention of everyone or of a group. */
    mention_guard: wholeNumber,
  }),
  version: v.string(),
})
export type WorkspacePayload = v.InferOutput<typeof WorkspacePayload>

/** Values of a number: from `least` to `most`. */
export const NumberBounds = v.strictObject({
  least: v.number(),
  most: v.number(),
  /** `least` itself is excluded. */
  isAbove: v.exactOptional(v.literal(true)),
  /** 0 is possible besides. */
  orZero: v.exactOptional(v.literal(true)),
  isWhole: v.exactOptional(v.literal(true)),
})
export type NumberBounds = v.InferOutput<typeof NumberBounds>

/** An entry of GET /admin/settings (interface 17.2). */
export const SettingPayload = v.strictObject({
  key: v.string(),
  value: v.unknown(),
  default: v.unknown(),
  source: v.picklist(['default', 'file', 'web']),
  /** Cannot be changed in the client. */
  locked: v.boolean(),
  kind: v.picklist(['text', 'color', 'number', 'flag', 'choice', 'list', 'table']),
  /** The values of kind `choice`. */
  choices: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  /** The values of kind `number`. */
  bounds: v.exactOptional(NumberBounds),
  help: v.string(),
})
export type SettingPayload = v.InferOutput<typeof SettingPayload>
