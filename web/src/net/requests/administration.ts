/** Typed functions for administration and invitations (interface 16.4, 17.2, 17.3, 17.4). */
import type {
  AccountsPayload,
  AdminChannelsPayload,
  AuditPayload,
  BackupsPayload,
  InvitePayload,
  RetentionPreview,
  SettingPayload,
  StatsPayload,
} from '#shared/domain/payloads/administration.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { json, postJson, request, whole } from './endpoints.ts'

const part = encodeURIComponent
const query = (fields: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(fields).filter((one): one is [string, string] => one[1] !== undefined))
const change = (path: string, body: unknown) =>
  request(path, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

export const accounts = (filter: {
  q?: string
  state?: string
  role?: string
  sort?: 'name'
  cursor?: string
}) => json<AccountsPayload>(`/admin/people?${query({ ...filter, kind: 'person', limit: '100' })}`)
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
export const makeInvitation = async (draft: InvitationDraft): Promise<InvitePayload> =>
  whole((await postJson('/invites', draft)).json())
export const invitations = (cursor?: string) =>
  json<Page<InvitePayload>>(`/invites?${query({ limit: '50', ...(cursor && { cursor }) })}`)
export const revokeInvitation = (id: number) => request(`/invites/${id}`, { method: 'DELETE' })

export const validInvitations = (cursor?: string) =>
  json<Page<InvitePayload>>(`/invites?${query({ state: 'valid', limit: '20', ...(cursor && { cursor }) })}`)

export const settings = () => json<{ items: SettingPayload[] }>('/admin/settings')
export const changeSettings = (settings: Record<string, unknown>) => change('/admin/settings', settings)
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
  json<Page<AuditPayload>>(auditAddress('', { ...filter, limit: '50' }))
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

export const statistics = () => json<StatsPayload>('/admin/stats')

/** For owners. */
export const backups = () => json<BackupsPayload>('/admin/backups')
export const backUpNow = () => postJson('/admin/backups', {})
