import type { SettingPayload } from '#shared/domain/payloads/administration.ts'
import { GROUPS, SIGNUP_MODES } from '#shared/domain/roles.ts'
import {
  boundsOf,
  DEFAULTS,
  FILE_TYPES,
  isWebSetting,
  SETTING_NAMES,
  type SettingName,
} from '#shared/runtime/settings.ts'
import type { WorkspaceSettings } from '#shared/stores/workspace-settings.ts'

/** All settings with value and source; those of the file alone are locked. */
export function listSettings(settings: WorkspaceSettings): SettingPayload[] {
  return SETTING_NAMES.map(key => ({
    key,
    value: settings.current[key],
    default: DEFAULTS[key],
    source: settings.sourceOf(key),
    locked: !isWebSetting(key) || settings.isLocked(key),
    bounds: boundsOf(key),
    ...ABOUT[key],
  }))
}

type About = Pick<SettingPayload, 'kind' | 'choices' | 'help'>

const number = (help: string): About => ({ kind: 'number', help })
const flag = (help: string): About => ({ kind: 'flag', help })
const group = (help: string): About => ({ kind: 'choice', choices: GROUPS, help })

/** Meaning of a setting, also in the operator's table (infra/README.md). */
export const helpOf = (key: SettingName): string => ABOUT[key].help

/** Kind and help of each setting. */
const ABOUT: Record<SettingName, About> = {
  channels: {
    kind: 'list',
    help: 'Public channels of the file, in display order: 1 to 64 letters and digits of any script, with single spaces, dots, dashes or underscores between them.',
  },
  max_login_attempts: number('Failed log-ins in a row until an account is locked; 0 never locks.'),
  lockout_duration_minutes: number('Minutes for which an account stays locked.'),
  max_upload_size_mb: number(
    'Largest file, MiB. The client sends large files in parts; in forms max_request_size_mb applies as well.',
  ),
  max_avatar_size_mb: number('Largest avatar, MiB.'),
  max_request_size_mb: number('Largest request, MiB. A proxy in front must allow as much.'),
  max_message_chars: number('Longest message, characters.'),
  rate_limit_enabled: flag('Enables the rate limits, and the limit of open tabs.'),
  rate_limits: { kind: 'table', help: 'Count and seconds of each rate limit.' },
  max_event_streams_per_user: number('Open tabs of one person, over all gateways.'),
  min_free_disk_percent: number(
    'Free space on the disk of the files, in percent, below which uploads are refused and texts still work; 0 disables this.',
  ),
  wire_budget_mb_s: number(
    'Megabytes per second of a collection beyond which a gateway sends it less often; a small office never reaches it.',
  ),
  session_idle_minutes: number(
    'Minutes after which an unused session ends; sessions end after 90 days at most.',
  ),
  stun_port: number('UDP port of the STUN service.'),
  preview_allow: { kind: 'list', help: 'Internal hosts and networks allowed for link cards.' },
  hooks_allow: {
    kind: 'list',
    help: 'Internal hosts and networks that outgoing hooks and commands may reach.',
  },
  retention_days: number('Messages older than this many days are deleted permanently; 0 keeps all.'),
  retention_max_gb: number('GiB of attachments beyond which the oldest are deleted; 0 keeps all.'),
  workspace_name: { kind: 'text', help: 'Name of the workspace.' },
  accent: { kind: 'color', help: 'Colour in place of the teal, #rrggbb.' },
  signup_mode: {
    kind: 'choice',
    choices: SIGNUP_MODES,
    help: 'Who may make an account: everybody, those with an invitation, everybody with the approval of an administrator, or nobody.',
  },
  read_receipts: flag('Shows what others have read.'),
  link_previews: flag('Shows cards below links.'),
  keep_edits: flag('Keeps earlier versions of edited messages for their readers; off deletes them at night.'),
  audit_retention_days: number('Days for which the audit log is kept; 0 keeps it for ever.'),
  first_account_is_owner: flag(
    'The first account of a fresh server owns it, in sign-up mode open; else the link of owner-link makes the first owner.',
  ),
  locked_settings: {
    kind: 'list',
    help: 'Settings that cannot be changed in the client; their values are those of the file.',
  },
  log_addresses: flag(
    'Writes the address of clients into the lines of requests and failed log-ins; addresses are personal data.',
  ),
  confirm_minutes: number('Minutes for which an entered password is remembered for acts that need it.'),
  who_invites: group('Who makes invitations; admins include owners, guests never do.'),
  who_creates_channels: group('Who makes public channels.'),
  who_mentions_everyone: group('Who may mention everyone.'),
  who_adds_emoji: group('Who may add emoji of the workspace.'),
  who_makes_tokens: group('Who makes tokens, by which programs act for a person.'),
  who_makes_bots: group('Who may make bots.'),
  who_makes_hooks: group('Who makes hooks, by which programs write into channels.'),
  mcp_enabled: flag('Lets assistants read and write with tokens of people and bots (MCP, POST /mcp).'),
  file_types: { kind: 'choice', choices: FILE_TYPES, help: 'Files that people may send.' },
  user_upload_mb_per_day: number('MiB that a person may upload in 24 hours, deleted or not; 0 is no limit.'),
  backup_hour: number('Hour of the nightly backup, UTC; −1 makes none.'),
  backup_keep: {
    kind: 'table',
    help: 'Backups that are kept: the newest of each of the last days and weeks that have one.',
  },
  mention_guard: number('People from which on a mention of everyone or of a group asks first.'),
}
