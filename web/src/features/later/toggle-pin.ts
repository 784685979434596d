import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../i18n/i18n.ts'
import { request } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { announce, showToast } from '../../ui/feedback.ts'

/** The stream shows the change. */
export async function togglePin(row: MessagePayload) {
  const isPinned = row.extra?.pinned !== undefined
  try {
    await request(`/pin/${row.id}`, { method: isPinned ? 'DELETE' : 'PUT' })
    announce(isPinned ? strings.pins.unpinned : strings.pins.pinned)
  } catch (error) {
    tolerateFailure(error)
    const text = error.status === 409 ? strings.pins.tooMany : strings.pins.notPinned
    showToast(text, { icon: 'alert' })
  }
}
