/** Typed functions for the endpoints of the settings and the account (interface 4.1, 4.5). */
import type { SessionPayload } from '#shared/domain/payloads/account.ts'
import { form, json, postJson, request } from './endpoints.ts'

/** Null resets to the default colour. */
export const setNameColor = (color: string | null) => postJson('/settings', { name_color: color })
export const removeAvatar = () => request('/avatar', { method: 'DELETE' })
export function putAvatar(picture: Blob) {
  const body = new FormData()
  body.append('avatar', picture, 'avatar.jpg')
  return request('/avatar', { method: 'POST', body })
}

export const sessions = () => json<SessionPayload[]>('/sessions')
export const endSession = (id: string) => request(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })

/** Fetches a fresh token, because the page may be older than the session. */
export async function changePassword(current: string, next: string, repeated: string) {
  const { csrf_token } = await json<{ csrf_token: string }>('/csrf_token')
  await form('/change-password', {
    current_password: current,
    new_password: next,
    confirm_password: repeated,
    csrf_token,
  })
}

export const deleteAccount = (type: 'soft' | 'hard', password: string) =>
  postJson('/delete_account', { type, password })
