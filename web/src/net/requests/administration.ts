/** Typed functions for administration and invitations (interface 16.4, 17.2, 17.3, 17.4). */
import type { AdminChannelsPayload, SettingPayload } from '#shared/domain/payloads/administration.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { json, postJson, request, whole } from './endpoints.ts'

export type AccountState = 'active' | 'pending' | 'deactivated'

export interface Account {
  username: Username
  display_name: string | null
  title: string | null
  email: string | null
  role: Role
  state: AccountState
  created_ts: Seconds
  last_seen_ts: Seconds | null
  sessions: number
}

export interface Invitation {
  id: number
  url: string
  role: 'member' | 'guest'
  channels: ChannelId[]
  created_by: Username
  created_ts: Seconds
  expires_ts: Seconds | null
  max_uses: number | null
  uses: number
  note: string | null
  valid: boolean
  /** In lists: why it is not valid. */
  ended?: 'revoked' | 'expired' | 'used' | 'maker' | null
}

export interface AuditEntry {
  id: number
  ts: Seconds
  actor: string | null
  action: string
  target: string | null
  channel: ChannelId | null
  detail: Record<string, unknown>
  address: string | null
}

const part = encodeURIComponent
const query = (fields: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined))
const change = (path: string, body: unknown) =>
  request(path, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** `counts`: numbers of all accounts, on the first page. Active ones by role. */
export type AccountPage = Page<Account> & { counts?: Record<Role | 'deactivated', number> }

export const accounts = (filter: {
  q?: string
  state?: string
  role?: string
  sort?: 'name'
  cursor?: string
}) => json<AccountPage>(`/admin/people?${query({ ...filter, kind: 'person', limit: '100' })}`)
/** Null removes. */
export interface AccountProfile {
  display_name: string | null
  title: string | null
  email: string | null
}
export const editAccount = (name: Username, profile: AccountProfile) =>
  change(`/admin/people/${part(name)}`, profile)
export interface NewAccount {
  username: Username
  display_name: string | null
  email: string | null
  role: Role
  channels: ChannelId[]
  client_id: string
}
/** Returns the link that sets the password; null if this was a repetition: the link is in a lost response. */
export const makeAccount = async (
  account: NewAccount,
): Promise<{ username: Username; reset_url: string | null }> =>
  whole((await postJson('/admin/people', account)).json())
export const setRole = (name: Username, role: Role) => change(`/admin/people/${part(name)}`, { role })
export type AccountAct = 'approve' | 'reject' | 'deactivate' | 'reactivate'
export const actOnAccount = (name: Username, act: AccountAct) =>
  postJson(`/admin/people/${part(name)}/${act}`, {})
/** With `tokens` those of the person end too. */
export const endSessions = (name: Username, tokens: boolean) =>
  postJson(`/admin/people/${part(name)}/end_sessions`, { tokens })
export const resetLink = async (name: Username): Promise<{ reset_url: string; expires_ts: Seconds }> =>
  whole((await postJson(`/admin/people/${part(name)}/reset_link`, {})).json())
/** Done by the server some seconds later. */
export const renameAccount = (name: Username, username: Username) =>
  postJson(`/admin/people/${part(name)}/rename`, { username })
/** `soft` keeps the messages. */
export const deleteAccountOf = (name: Username, type: 'soft' | 'hard') =>
  postJson(`/admin/people/${part(name)}/delete`, { type })
export const confirmPassword = (password: string) => postJson('/confirm', { password })

export interface InvitationDraft {
  role: 'member' | 'guest'
  channels: ChannelId[]
  expires_in_hours: number
  max_uses: number | null
  note: string | null
  client_id: string
}
export const makeInvitation = async (draft: InvitationDraft): Promise<Invitation> =>
  whole((await postJson('/invites', draft)).json())
export const invitations = (cursor?: string) =>
  json<Page<Invitation>>(`/invites?${query({ limit: '50', ...(cursor && { cursor }) })}`)
export const revokeInvitation = (id: number) => request(`/invites/${id}`, { method: 'DELETE' })

export const validInvitations = (cursor?: string) =>
  json<Page<Invitation>>(`/invites?${query({ state: 'valid', limit: '20', ...(cursor && { cursor }) })}`)

export const settings = () => json<{ items: SettingPayload[] }>('/admin/settings')
export const changeSettings = (settings: Record<string, unknown>) => change('/admin/settings', settings)
interface Amount {
  messages: number
  files: number
  bytes: number
}
/** Amounts that a retention setting would delete now. `channel` null: private channels and conversations together. */
export interface RetentionPreview extends Amount {
  /** Number of entries of the audit log. */
  entries: number
  channels: (Amount & { channel: ChannelId | null })[]
}
export const retentionPreview = (setting: string, value: number) =>
  json<RetentionPreview>(`/admin/retention?${query({ setting, value: String(value) })}`)
/** `from` in seconds. */
export interface AuditFilter {
  actor?: string
  action?: string
  target?: string
  from?: string
}
export const auditAddress = (file: '' | '.csv', filter: AuditFilter & { cursor?: string; limit?: string }) =>
  `/admin/audit${file}?${query({ ...filter })}`
export const auditLog = (filter: AuditFilter & { cursor?: string }) =>
  json<Page<AuditEntry>>(auditAddress('', { ...filter, limit: '50' }))
/** The person keeps these public channels, private ones and DMs. */
export const makeGuest = (name: Username, channels: ChannelId[]) =>
  change(`/admin/people/${part(name)}`, { role: 'guest', channels })

export const ADMIN_CHANNEL_SORTS = ['newest', 'members', 'messages', 'name'] as const
export type AdminChannelSort = (typeof ADMIN_CHANNEL_SORTS)[number]
export const adminChannels = (
  asked: { list: 'open' | 'private' | 'quiet' | 'archived'; sort: AdminChannelSort; q?: string },
  cursor?: string,
) =>
  json<AdminChannelsPayload>(
    `/admin/channels?${query({ ...asked, limit: '100', ...(cursor !== undefined && { cursor }) })}`,
  )

export function putLogo(picture: File) {
  const body = new FormData()
  body.append('logo', picture)
  return request('/admin/logo', { method: 'POST', body })
}
export const removeLogo = () => request('/admin/logo', { method: 'DELETE' })

/** GET /admin/stats (interface 17.4). */
export interface Statistics {
  people: number
  guests: number
  bots: number
  active_1d: number
  active_7d: number
  active_30d: number
  messages: number
  messages_per_day: { day: string; count: number }[]
  attachments_bytes: number
  database_bytes: number
  top_channels: { channel: ChannelId; count: number }[]
}
export const statistics = () => json<Statistics>('/admin/stats')

export interface Backup {
  id: number
  asked_by: Username | null
  asked_ts: Seconds
  started_ts: Seconds | null
  done_ts: Seconds | null
  ok: boolean
  verified_ts: Seconds | null
  seconds_to_restore: Seconds | null
  bytes: number | null
  name: string | null
  /** Counts of the comparison, or the fault. */
  report: {
    rows?: number
    tables?: number
    files?: number
    /** Migrations of a newer release, which a restore needs. */
    newer?: string[]
    missing?: { count: number }
    seconds?: Seconds
    fault?: string
    killed?: boolean
  }
}
export interface Backups {
  items: Backup[]
  next_at: Seconds | null
  folder: string | null
  problem: 'not_started' | 'no_folder' | 'not_writable' | null
}
/** For owners. */
export const backups = () => json<Backups>('/admin/backups')
export const backUpNow = () => postJson('/admin/backups', {})
