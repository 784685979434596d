/** Typed functions for outgoing hooks and their deliveries (interface 19.5). */
import type {
  DeliveryPayload,
  MadeOutgoingHookPayload,
  OutgoingHookPayload,
  TestedHookPayload,
} from '#shared/domain/payloads/hooks-out.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { allPages, json, postJson, request, whole } from './endpoints.ts'

export type OutgoingHookDraft = Pick<
  OutgoingHookPayload,
  'name' | 'url' | 'format' | 'events' | 'channels' | 'triggers' | 'include_bots'
>

export const outgoingHooks = async () => (await allPages<OutgoingHookPayload>('/hooks_out')).pages.flat()

export const makeOutgoingHook = async (
  draft: OutgoingHookDraft & { client_id: string },
): Promise<MadeOutgoingHookPayload> => whole((await postJson('/hooks_out', draft)).json())

export const changeOutgoingHook = (id: number, change: Partial<OutgoingHookDraft> & { active?: boolean }) =>
  postJson(`/hooks_out/${id}`, change, { method: 'PATCH' })

export const removeOutgoingHook = (id: number) => request(`/hooks_out/${id}`, { method: 'DELETE' })

export const newOutgoingSecret = async (id: number): Promise<{ secret: string }> =>
  whole((await postJson(`/hooks_out/${id}/new_secret`, {})).json())

export const testOutgoingHook = async (id: number): Promise<TestedHookPayload> =>
  whole((await postJson(`/hooks_out/${id}/test`, {})).json())

/** An empty state: all. */
export const deliveries = (
  id: number,
  { state, limit, cursor }: { state: string; limit: number; cursor: string | undefined },
) => {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(state && { state }),
    ...(cursor && { cursor }),
  })
  return json<Page<DeliveryPayload>>(`/hooks_out/${id}/deliveries?${query}`)
}

export const deliverAgain = (id: string) => postJson(`/deliveries/${id}/again`, {})
