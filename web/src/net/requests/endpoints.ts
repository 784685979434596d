/** Typed functions for the endpoints of the interface. */
import { DELTA_NAMES, EXTRA_EVENTS, MOST_RECEIPTS, WITH_EXTRA } from '#shared/domain/deltas.ts'
import type {
  ChannelInfoPayload,
  ChannelUnreadsPayload,
  DmPayload,
  PrivateChannelPayload,
} from '#shared/domain/payloads/channels.ts'
import type { ClientConfigPayload, VersionPayload } from '#shared/domain/payloads/client.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type {
  LinkedMessagesPayload,
  MessagePayload,
  ReactionsPayload,
  ReadReceiptsPayload,
  SingleMessagePayload,
} from '#shared/domain/payloads/messages.ts'
import type { PresenceOverride } from '#shared/domain/payloads/people.ts'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { report } from '../../store/reports.ts'
import type { Face } from '../device/avatar-cache.ts'
import { checked, checkedList, checkedRows } from './checked-rows.ts'
import { Failure } from './failure.ts'
import { type Body, sentWithProgress, type Underway } from './upload.ts'

export { Failure }

const PATIENCE = 20_000

let ended = () => {}
/** Called when a request is redirected to the login page: the session has ended. */
export function onSignedOut(listener: () => void) {
  ended = listener
}

export const channels = () => list<ChannelId>('/channels')
export const channelUnreads = () => json<ChannelUnreadsPayload>('/channel_unreads')
export const channelMembers = (channel: ChannelId) =>
  validated<Username[]>(`/channel_members/${part(channel)}`, isList)
export const privateChannels = () => list<PrivateChannelPayload>('/private_channels')
export const channelInfo = (channel: ChannelId) => json<ChannelInfoPayload>(`/channel_info/${part(channel)}`)
export const userColors = () => validated<Record<Username, string>>('/user_colors', () => true)
export const userAvatars = () => validated<Username[]>('/user_avatars', isList)
/** Undefined when there is none. Cached by the browser, which revalidates it each time. */
export async function avatar(name: Username): Promise<Face | undefined> {
  try {
    const response = await request(`/avatar/${part(name)}`, { cache: 'no-cache' })
    return { tag: response.headers.get('ETag') ?? '', picture: await whole(response.blob()) }
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return undefined
    throw error
  }
}
export const dms = () => list<DmPayload>('/dms')
export const unreadCount = () => json<{ count: number }>('/unread_count')
export const mentions = () => list<MentionPayload>('/mentions')
export const version = () => json<VersionPayload>('/version')
export const clientConfig = () => json<ClientConfigPayload>('/client_config')
/** Only the viewer's own read marker in a channel with more than `MOST_RECEIPTS` readers. */
export const readReceipts = (channel: ChannelId) =>
  json<ReadReceiptsPayload>(`/read_receipts/${part(channel)}?most=${MOST_RECEIPTS}`)

export const newestMessages = (channel: ChannelId, limit: number) =>
  messageRows(`/messages/${part(channel)}?limit=${limit}`)
/** All changes since `after`: new rows, edits, reactions, removals. */
export const messagesAfter = (channel: ChannelId, after: Seconds) =>
  messageRows(`/messages/${part(channel)}?after=${after}`)
export const messagesBefore = (channel: ChannelId, before: Seconds, limit: number) =>
  messageRows(`/messages/${part(channel)}?limit=${limit}&before=${before}`)
export const messagesAround = (channel: ChannelId, id: number, limit: number) =>
  messageRows(`/messages/${part(channel)}?around=${id}&limit=${limit}`)
export const messagesAroundTime = (channel: ChannelId, ts: Seconds, limit: number) =>
  messageRows(`/messages/${part(channel)}?around_ts=${ts}&limit=${limit}`)

export interface Outgoing {
  text: string
  replyTo: number | null
  clientId: string
  /** The channel that the composer showed at the first character. */
  composedFor: ChannelId
  /** The client id of the reply that it is a part of. */
  partOf: string | undefined
  isQuiet: boolean
  file?: File
}
/** Larger files continue after an interruption, smaller ones are sent again. */
const WHOLE = 1024 * 1024
export const goesInParts = (file: File) => file.size > WHOLE

export const cancelUpload = (id: string) => request(`/uploads/${id}`, { method: 'DELETE' })

/** Returns the id of the stored row. A file in parts was uploaded before, under the same id. */
export async function send(
  channel: ChannelId,
  message: Outgoing,
  underway: Underway,
): Promise<number | undefined> {
  const body = new FormData()
  body.set('client_id', message.clientId)
  body.set('composed_for', message.composedFor)
  body.set('text', message.text)
  if (message.replyTo !== null) body.set('reply_to_id', String(message.replyTo))
  if (message.isQuiet) body.set('quiet', '1')
  if (message.partOf !== undefined) body.set('part_of', message.partOf)
  const { file } = message
  const path = `/send/${part(channel)}${file ? '?files=all' : ''}`
  if (file && goesInParts(file)) body.set('uploads', message.clientId)
  else if (file) body.append('files', file, file.name)
  const response = file
    ? await upload(path, { method: 'POST', body }, underway)
    : await request(path, {
        method: 'POST',
        body,
        signal: underway.signal,
      })
  reportMissed(channel, response)
  const id = Number(response.headers.get('X-Message-Id'))
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}

function reportMissed(channel: ChannelId, { headers }: Response) {
  const missed = headers.get('X-Mention-Missed')
  if (missed) report({ what: 'mention-missed', channel, missed })
}

export const message = (id: number) => json<SingleMessagePayload>(`/message/${id}`)
export const wholeMessage = (id: number) => json<MessagePayload>(`/message/${id}?full=1&extra=1`)
/** `held`: ids, each with the mark of the row that this tab has. */
export const linkedMessages = (held: readonly (readonly [number, string | undefined])[]) =>
  json<LinkedMessagesPayload>(
    `/linked_messages?ids=${held.map(([id, mark]) => (mark === undefined ? id : `${id}-${mark}`)).join()}`,
  )
export const edit = async ({ id, channel }: MessagePayload, text: string) =>
  reportMissed(channel, await form(`/edit/${id}`, { text }))
export const remove = (id: number) => form(`/delete/${id}`, {})
/** Sets or removes the reaction; idempotent. */
export const react = async (id: number, reaction: string, on: boolean): Promise<ReactionsPayload> =>
  whole((await form(`/react/${id}`, { reaction, on: on ? '1' : '0' })).json())
export const markRead = (channel: ChannelId) => form(`/mark_read/${part(channel)}`, {})
const hasChannels = (payload: { channels: unknown }) => isList(payload.channels)
export const sidebar = () => json<SidebarPayload>('/sidebar', undefined, hasChannels)
export const typing = (channel: ChannelId) => form(`/typing/${part(channel)}`, {})
export const closeDm = (channel: ChannelId, keepalive = false) =>
  postJson('/dms/close', { channel }, { keepalive })
export const presenceOverride = () => json<{ override: PresenceOverride | null }>('/presence/override')

/** `known`: the state of this tab (store/held.ts). A server without `with` and `known` sends the interface's events. */
export function eventsAddress(channel: ChannelId | undefined, cursor: Seconds, known: string) {
  const place = channel === undefined ? '' : `channel=${part(channel)}&after=${cursor}&`
  return `/events?${place}with=${[...DELTA_NAMES, ...EXTRA_EVENTS, WITH_EXTRA]}${known && `&known=${known}`}`
}
export const fileAddress = (filename: string, size?: 360 | 720, still = false) =>
  `/files/${encodeURIComponent(filename)}${size ? `?size=${size}${still ? '&still=1' : ''}` : ''}`

const part = encodeURIComponent

/** `isSound`: checks the fields without which the screen cannot be drawn. */
export async function json<T>(
  path: string,
  init?: RequestInit,
  isSound: (payload: T) => boolean = () => true,
): Promise<T> {
  return checked<T>(await whole((await request(path, init)).json()), isSound)
}

const isList = Array.isArray

/** Throws a `Failure` if the response is not a list. */
export const list = async <T>(path: string) => checkedList(await json<T[]>(path))

/** All pages of a list that is a plain array (interface 10): those of `X-Next-Cursor` follow. */
export async function allPages<T>(path: string): Promise<{ pages: T[][]; response: Response }> {
  const pages: T[][] = []
  for (let next = path; ; ) {
    const response = await request(next)
    pages.push(checkedList((await whole(response.json())) as T[]))
    const cursor = response.headers.get('X-Next-Cursor')
    if (cursor === null || pages.length >= MOST_PAGES) return { pages, response }
    next = `${path}${path.includes('?') ? '&' : '?'}cursor=${part(cursor)}`
  }
}

/** Each page has at least one of at most 200 drafts, 101 versions or 500 hooks. */
const MOST_PAGES = 500

const messageRows = async (path: string) => checkedRows(await json<MessagePayload[]>(`${path}&extra=1`))

const answered = new Map<string, { etag: string; payload: unknown }>()

/** A list of people: sent once, then revalidated. Returns the same object while the list is unchanged. */
export async function validated<T>(path: string, isSound: (payload: T) => boolean): Promise<T> {
  const known = answered.get(path)
  const response = await request(path, known && { headers: { 'If-None-Match': known.etag } })
  if (known && response.status === 304) return known.payload as T
  const payload = checked<T>(await whole(response.json()), isSound)
  const etag = response.headers.get('ETag')
  if (etag) answered.set(path, { etag, payload })
  return payload
}

export function form(path: string, fields: Record<string, string>) {
  return request(path, { method: 'POST', body: new URLSearchParams(fields) })
}

export function postJson(path: string, body: unknown, init: RequestInit = {}) {
  const headers = { 'Content-Type': 'application/json' }
  return request(path, { method: 'POST', headers, body: JSON.stringify(body), ...init })
}

export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const patience = AbortSignal.timeout(PATIENCE)
  const response = await whole(fetch(path, { signal: patience, redirect: 'manual', ...init }))
  if (response.type === 'opaqueredirect') {
    ended()
    throw new Failure(401, 'signed out')
  }
  if (!response.ok && response.status !== 304) throw await failureOf(response)
  return response
}

/** Uses XMLHttpRequest: `fetch` reports no upload progress. */
export async function upload(path: string, body: Body, underway: Underway): Promise<Response> {
  const { response, isLogin } = await sentWithProgress(path, body, underway)
  if (isLogin) {
    ended()
    throw new Failure(401, 'signed out')
  }
  if (!response.ok) throw await failureOf(response)
  return response
}

/** Timeouts and broken connections become `Failure(0)`; the caller's own abort is rethrown. */
export async function whole<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new Failure(0, '')
  }
}

async function failureOf(response: Response): Promise<Failure> {
  const text = await whole(response.text())
  const isJson = response.headers.get('Content-Type')?.includes('application/json')
  const code = isJson ? /"code"\s*:\s*"(\w+)"/.exec(text)?.[1] : undefined
  const sentence = isJson ? /"error"\s*:\s*"([^"]*)"/.exec(text)?.[1] : text
  return new Failure(
    response.status,
    (sentence ?? '').trim().slice(0, 300),
    Number(response.headers.get('Retry-After')) || 0,
    response.headers,
    code,
  )
}
