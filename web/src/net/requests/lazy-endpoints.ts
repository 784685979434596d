/** Endpoints that the first screen does not need: fetched with the parts that use them. */
import type { FileKind } from '#shared/domain/file-types.ts'
import type { PreferencesPayload } from '#shared/domain/payloads/account.ts'
import type {
  AddedPayload,
  AllReadPayload,
  ArchivedPrivateChannelPayload,
  ChannelDaysPayload,
  ChannelPersonPayload,
  CreatedChannelPayload,
  PrivateMemberPayload,
  PublicChannelPayload,
  PublicChannelsPage,
} from '#shared/domain/payloads/channels.ts'
import type { ChannelFilesPayload } from '#shared/domain/payloads/files.ts'
import type { InboxKind, InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { EditPayload, SeenPayload } from '#shared/domain/payloads/messages.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import type {
  GroupPayload,
  PresenceOverride,
  PresenceState,
  ProfilePayload,
} from '#shared/domain/payloads/people.ts'
import type { SearchPayload } from '#shared/domain/payloads/search.ts'
import type { SidebarChannelPayload } from '#shared/domain/payloads/sidebar.ts'
import type { ThreadPayload, ThreadsPayload, ThreadsReadPayload } from '#shared/domain/payloads/threads.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { allPages, json, list, postJson, request, validated, whole } from './endpoints.ts'

const part = encodeURIComponent
const isList = Array.isArray

export type PublicChannelSort = 'name' | 'members' | 'newest'
export const publicChannelsPage = (
  asked: { words: string; sort: PublicChannelSort; archived: boolean; withWriters?: boolean },
  cursor: string | undefined,
  signal?: AbortSignal,
) => {
  const query = new URLSearchParams({ sort: asked.sort, limit: '200' })
  if (asked.withWriters) query.set('with', 'writers')
  if (asked.words !== '') query.set('q', asked.words)
  if (asked.archived) query.set('archived', '1')
  if (cursor !== undefined) query.set('cursor', cursor)
  return json<PublicChannelsPage>(`/public_channels?${query}`, { ...(signal && { signal }) }, page =>
    isList(page.items),
  )
}
/** Pages of 200 channels. */
const MOST_MANAGED = 20

/** Public channels that the caller manages, unless archived; at most 4,000. */
export async function managedChannels(): Promise<ChannelId[]> {
  const found: ChannelId[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < MOST_MANAGED; page++) {
    const path: string = `/public_channels?managed=1&limit=200${cursor && `&cursor=${part(cursor)}`}`
    const { items, next } = await json<PublicChannelsPage>(path, {}, sent => isList(sent.items))
    found.push(...items.map(({ channel }) => channel))
    cursor = next
  }
  return found
}
export const archivedPrivateChannels = () =>
  list<ArchivedPrivateChannelPayload>('/private_channels?archived=1')
export const createPublicChannel = async (channel: {
  name: string
  topic?: string
  posting?: 'managers'
  client_id: string
}): Promise<PublicChannelPayload> => whole((await postJson('/public_channels', channel)).json())
export const joinPublicChannel = (channel: ChannelId) =>
  postJson(`/public_channels/${part(channel)}/join`, {})
export const leavePublicChannel = (channel: ChannelId) =>
  postJson(`/public_channels/${part(channel)}/leave`, {})
export const addToPublicChannel = async (channel: ChannelId, usernames: Username[]): Promise<AddedPayload> =>
  whole((await postJson(`/public_channels/${part(channel)}/add`, { usernames })).json())
export const channelPeoplePage = (channel: ChannelId, cursor: string | undefined) => {
  const query = new URLSearchParams({ limit: '200', ...(cursor !== undefined && { cursor }) })
  return json<Page<ChannelPersonPayload>>(`/channel_people/${part(channel)}?${query}`, undefined, page =>
    isList(page.items),
  )
}
export const setManager = (channel: ChannelId, name: Username, on: boolean) =>
  request(`/channel_info/${part(channel)}/managers/${part(name)}`, { method: on ? 'PUT' : 'DELETE' })
export const removeFromPublicChannel = (channel: ChannelId, username: Username) =>
  postJson(`/public_channels/${part(channel)}/remove`, { username })
export const removePrivateMember = (id: number, username: Username) =>
  postJson(`/private_channels/${id}/remove_member`, { username })
export interface ChannelChange {
  name?: string
  topic?: string | null
  description?: string | null
  posting?: 'everyone' | 'managers'
  /** Everybody starts in it; for admins. */
  default?: boolean
}
export const changeChannelInfo = (channel: ChannelId, change: ChannelChange) =>
  request(`/channel_info/${part(channel)}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  })
export const archiveChannel = (channel: ChannelId) => postJson(`/channel_info/${part(channel)}/archive`, {})
export const unarchiveChannel = (channel: ChannelId) =>
  postJson(`/channel_info/${part(channel)}/unarchive`, {})
export const createPrivateChannel = async (
  name: string,
  members: Username[],
): Promise<CreatedChannelPayload> =>
  whole((await postJson('/private_channels/create', { name, members })).json())
export const privateMembers = (id: number) => list<PrivateMemberPayload>(`/private_channels/${id}/members`)
export const renamePrivateChannel = (id: number, name: string) =>
  postJson(`/private_channels/${id}/rename`, { name })
export const addPrivateMember = (id: number, username: Username) =>
  postJson(`/private_channels/${id}/add_member`, { username })
export const leavePrivateChannel = (id: number) => postJson(`/private_channels/${id}/leave`, {})
export const profile = (name: Username) => json<ProfilePayload>(`/profile/${part(name)}`)
export const thread = (id: number, before?: number) =>
  json<ThreadPayload>(`/thread/${id}${before === undefined ? '' : `?before=${before}`}`, undefined, page =>
    isList(page.rows),
  )
export const followThread = (id: number, isFollowed: boolean) =>
  request(`/thread/${id}/follow`, { method: isFollowed ? 'PUT' : 'DELETE' })
export const readThread = (id: number, upto?: number) => postJson(`/thread/${id}/read`, { upto })
/** Marks threads without a reply after that time as read; `more`: repeat it. A closing page needs `keepalive`. */
export const readThreads = async (
  until: Seconds,
  own: boolean,
  keepalive = false,
): Promise<ThreadsReadPayload> =>
  whole((await postJson('/threads/read', { until, own }, { keepalive })).json())
export interface ThreadsAsked {
  unread?: boolean
  /** Only those that the viewer started. */
  own?: boolean
}
export const followedThreads = (
  { unread = false, own = false }: ThreadsAsked,
  cursor?: string,
  signal?: AbortSignal,
) =>
  json<ThreadsPayload>(
    `/threads?unread=${unread ? 1 : 0}&own=${own ? 1 : 0}${cursor ? `&cursor=${cursor}` : ''}`,
    { ...(signal && { signal }) },
    page => isList(page.items),
  )
/** Messages by day of a month (`2026-03`) in the time zone of this device. */
export const channelDays = (channel: ChannelId, month: string, signal: AbortSignal) =>
  json<ChannelDaysPayload>(
    `/channel_days/${part(channel)}?month=${month}&tz=${part(Intl.DateTimeFormat().resolvedOptions().timeZone)}`,
    { signal },
    ({ days }) => typeof days === 'object' && days !== null,
  )
/** The versions of a text, oldest first, and the present one. */
export const versions = async (message: number): Promise<EditPayload[]> =>
  (await allPages<EditPayload>(`/message/${message}/edits`)).pages.reverse().flat()
export const inboxPage = (kind: InboxKind | undefined, cursor: string | undefined) => {
  const query = new URLSearchParams()
  if (kind !== undefined) query.set('kind', kind)
  if (cursor !== undefined) query.set('cursor', cursor)
  return json<InboxPayload>(`/inbox?${query}`, undefined, page => isList(page.items))
}
export const readInboxItems = (ids: string[]) => postJson('/inbox/read', { ids })
export const readInboxUpTo = (upto: Seconds) => postJson('/inbox/read', { upto })
/** The same list while it is unchanged. */
export const groupsList = () => validated<GroupPayload[]>('/groups', isList)
export const preferences = () => json<PreferencesPayload>('/preferences')
export const setPreferences = (changed: Partial<PreferencesPayload>) =>
  request('/preferences', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(changed),
  })
/** All readers of a message except its author, in pages. */
export const seen = (message: number, cursor: string | undefined) =>
  json<SeenPayload>(
    `/seen/${message}${cursor === undefined ? '' : `?cursor=${part(cursor)}`}`,
    undefined,
    page => isList(page.names),
  )
export type SearchSort = 'newest' | 'oldest'
export interface SearchRequest {
  q: string
  sort: SearchSort
  tz: string
  cursor?: string
}
export const search = (request: SearchRequest, signal: AbortSignal) =>
  json<SearchPayload>(
    `/search?${new URLSearchParams({ ...request })}`,
    { signal },
    page => isList(page.items) && isList(page.parsed?.problems),
  )
const hasChannels = (payload: { channels: unknown }) => isList(payload.channels)
/** Returns the first unread message, for `markUnreadAgain`. */
export const markReadWithUndo = async (channel: ChannelId): Promise<AllReadPayload> =>
  json<AllReadPayload>(`/mark_read/${part(channel)}?undo=1`, { method: 'POST' }, hasChannels)
export const markUnread = (channel: ChannelId, message_id: number) =>
  postJson(`/mark_unread/${part(channel)}`, { message_id })
/** Returns the first unread message of each channel; `markUnreadAgain` with these undoes it. */
export const markAllRead = async (): Promise<AllReadPayload> =>
  json<AllReadPayload>('/mark_all_read', { method: 'POST' }, hasChannels)
export const markUnreadAgain = (message_ids: number[]) => postJson('/mark_unread', { message_ids })
export const muteChannel = (channel: ChannelId, muted_until: SidebarChannelPayload['muted_until']) =>
  postJson(`/channel_prefs/${part(channel)}`, { muted_until }, { method: 'PATCH' })
export const presence = (state: PresenceState, tab: string, keepalive = false) =>
  postJson('/presence', { state, tab }, { keepalive })
export const setPresenceOverride = (override: PresenceOverride | 'auto') =>
  postJson('/presence/override', { override })

export interface FilesAsked {
  kind: FileKind | undefined
  words: string
  sender: string
}
export const channelFiles = (
  channel: ChannelId,
  { kind, words, sender }: FilesAsked,
  cursor: string | undefined,
  signal?: AbortSignal,
) => {
  const query = new URLSearchParams()
  if (kind) query.set('type', kind)
  if (words !== '') query.set('q', words)
  if (sender !== '') query.set('sender', sender)
  if (cursor !== undefined) query.set('cursor', cursor)
  return filesOf(channel, query, signal)
}
/** At most 1,000. */
export const fileCount = async (channel: ChannelId, signal: AbortSignal) =>
  (await filesOf(channel, new URLSearchParams({ limit: '1' }), signal)).total
const filesOf = (channel: ChannelId, query: URLSearchParams, signal?: AbortSignal) =>
  json<ChannelFilesPayload>(`/channel_files/${part(channel)}?${query}`, { ...(signal && { signal }) }, page =>
    isList(page.items),
  )
