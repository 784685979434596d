import type { SettingPayload } from '#shared/domain/payloads/administration.ts'

const GROUPS = {
  office: ['workspace_name', 'accent'],
  people: ['signup_mode', 'who_invites'],
  talking: [
    'who_creates_channels',
    'who_mentions_everyone',
    'who_adds_emoji',
    'mention_guard',
    'read_receipts',
    'link_previews',
    'max_message_chars',
  ],
  files: [
    'file_types',
    'max_upload_size_mb',
    'user_upload_mb_per_day',
    'max_avatar_size_mb',
    'max_request_size_mb',
  ],
  access: [
    'who_makes_tokens',
    'who_makes_bots',
    'who_makes_hooks',
    'mcp_enabled',
    'max_login_attempts',
    'lockout_duration_minutes',
    'session_idle_minutes',
  ],
  keeping: ['keep_edits', 'retention_days', 'retention_max_gb', 'audit_retention_days'],
}
export type SettingGroup = keyof typeof GROUPS | 'more' | 'file'

const known = new Set(Object.values(GROUPS).flat())

export const isWebSetting = (key: string) => known.has(key)

/** Settings in the order of the page. `more`: those that this client does not know; `file`: those of the file alone. */
export function groupsOf(items: readonly SettingPayload[]): [SettingGroup, SettingPayload[]][] {
  const byKey = new Map(items.map(item => [item.key, item]))
  const groups = Object.entries(GROUPS).map(([group, keys]): [SettingGroup, SettingPayload[]] => [
    group as SettingGroup,
    keys.flatMap(key => byKey.get(key) ?? []),
  ])
  const others = items.filter(({ key }) => !known.has(key))
  groups.push(['more', others.filter(({ locked }) => !locked)])
  groups.push(['file', others.filter(({ locked }) => locked)])
  return groups.filter(([, group]) => group.length > 0)
}

/** Settings that delete what is older or too much. 0 keeps all. */
const DELETING = ['retention_days', 'retention_max_gb', 'audit_retention_days']

/** True if the value deletes something that the present one keeps. */
export function deletesMore({ key, value: now }: SettingPayload, value: unknown): value is number {
  if (!DELETING.includes(key) || typeof value !== 'number' || value === 0) return false
  return typeof now !== 'number' || now === 0 || value < now
}
