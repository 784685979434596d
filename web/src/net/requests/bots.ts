/** Typed functions for bots (interface 19.3). */
import type { BotPayload } from '#shared/domain/payloads/people.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { list, postJson, request, whole } from './endpoints.ts'

const path = (name: Username, verb = '') => `/bots/${encodeURIComponent(name)}${verb}`

export const bots = () => list<BotPayload>('/bots')

export interface BotDraft {
  username: Username
  display_name: string | null
  description: string | null
  channels: ChannelId[]
  guest: boolean
  client_id: string
}
/** `token` is null if this was a repetition: it is in a lost response. */
export const makeBot = async (draft: BotDraft): Promise<{ username: Username; token: string | null }> =>
  whole((await postJson('/bots', draft)).json())

export interface BotChange {
  display_name: string | null
  description: string | null
  owner?: Username
}
/** `picture`: null removes it. All of it or nothing. */
export function changeBot(name: Username, change: BotChange, picture: File | null | undefined) {
  if (!picture) {
    const avatar = picture === null ? { avatar: null } : {}
    return postJson(path(name), { ...change, ...avatar }, { method: 'PATCH' })
  }
  const body = new FormData()
  for (const [field, value] of Object.entries(change)) body.set(field, value ?? '')
  body.append('avatar', picture)
  return request(path(name), { method: 'PATCH', body })
}

export const actOnBot = (name: Username, act: 'deactivate' | 'reactivate') =>
  postJson(path(name, `/${act}`), {})
export const deleteBot = (name: Username) => request(path(name), { method: 'DELETE' })
export const makeBotToken = async (
  name: Username,
  draft: { name: string; scopes: string[]; client_id: string },
): Promise<{ id: number; token: string | null }> =>
  whole((await postJson(path(name, '/tokens'), draft)).json())
