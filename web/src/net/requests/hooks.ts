/** Typed functions for incoming hooks (interface 19). */
import type {
  HookCallPayload,
  IncomingHookPayload,
  MadeIncomingHookPayload,
  TriedHookPayload,
} from '#shared/domain/payloads/hooks.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { allPages, list, postJson, request, whole } from './endpoints.ts'

export interface IncomingHookDraft {
  name: string
  channel: ChannelId
  template: string | null
  /** Both are changed by administrators alone. */
  may_choose_channel?: boolean
  may_mention_everyone?: boolean
}

/** Without a channel: all of them, for administrators. */
export const incomingHooks = async (channel: ChannelId | undefined) => {
  const path = channel === undefined ? '/hooks_in' : `/hooks_in?channel=${encodeURIComponent(channel)}`
  return (await allPages<IncomingHookPayload>(path)).pages.flat()
}

export const makeIncomingHook = async (
  draft: IncomingHookDraft & { client_id: string },
): Promise<MadeIncomingHookPayload> => whole((await postJson('/hooks_in', draft)).json())

/** `sign_secret` null: bodies are taken without a signature. */
export const changeIncomingHook = (
  id: number,
  change: Partial<IncomingHookDraft> & { disabled?: boolean; sign_secret?: null },
) => postJson(`/hooks_in/${id}`, change, { method: 'PATCH' })

export const newHookAddress = async (id: number): Promise<{ url: string }> =>
  whole((await postJson(`/hooks_in/${id}/new_token`, {})).json())

/** `secret`: that of the program; undefined makes one. */
export const newHookSecret = async (id: number, secret: string | undefined): Promise<{ secret: string }> =>
  whole((await postJson(`/hooks_in/${id}/sign_secret`, { secret })).json())

export const tryHook = async (
  id: number,
  input: { headers: Record<string, string>; body: string },
): Promise<TriedHookPayload> => whole((await postJson(`/hooks_in/${id}/try`, input)).json())

export const callsOfHook = (id: number) => list<HookCallPayload>(`/hooks_in/${id}/calls`)

/**
 * Posts to the address of a hook on the server of this page, as a program does: without the session. Throws a `Failure`
 * whose message is the word of the refusal.
 */
export async function postToHook({ url, type, body }: HookPost): Promise<{ isIgnored: boolean }> {
  const headers = { 'Content-Type': type ?? 'application/x-www-form-urlencoded' }
  const path = new URL(url).pathname
  const response = await request(path, { method: 'POST', headers, body, credentials: 'omit' })
  return { isIgnored: response.headers.has('X-Ignored') }
}

interface HookPost {
  /** With the address of the server for programs, which may be another than that of this page. */
  url: string
  /** Undefined: that of a form, as curl sends it. */
  type: string | undefined
  body: string
}

export const removeIncomingHook = (id: number) => request(`/hooks_in/${id}`, { method: 'DELETE' })
