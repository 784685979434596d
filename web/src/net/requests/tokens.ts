/** Typed functions for tokens (interface 19.2). */
import type { Page } from '#shared/domain/payloads/page.ts'
import type { AnybodysTokenPayload, MadeTokenPayload, TokenPayload } from '#shared/domain/payloads/tokens.ts'
import type { Scope } from '#shared/domain/tokens.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { json, postJson, request, whole } from './endpoints.ts'
import { Failure } from './failure.ts'

export interface TokenDraft {
  name: string
  scopes: Scope[]
  /** Null: all channels. */
  channels_only: ChannelId[] | null
  /** 0: never. */
  expires_in_days: number
}

export const ownTokens = () => json<TokenPayload[]>('/tokens')
export const makeToken = async (draft: TokenDraft & { client_id: string }): Promise<MadeTokenPayload> =>
  whole((await postJson('/tokens', draft)).json())
export const endToken = (id: number) => request(`/tokens/${id}`, { method: 'DELETE' })
/** Newest first; of one person with `username`. An unknown name gives an empty page. */
export async function everybodysTokens(
  username: string | undefined,
  cursor: string | undefined,
): Promise<Page<AnybodysTokenPayload>> {
  const query = new URLSearchParams({ limit: '50', ...(username && { username }), ...(cursor && { cursor }) })
  try {
    return await json<Page<AnybodysTokenPayload>>(`/admin/tokens?${query}`)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return { items: [], next: null }
    throw error
  }
}
