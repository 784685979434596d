/** Rows for tests, with defaults. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { pendingRow } from './pending.ts'

export function row(id: number, more: Partial<MessagePayload> = {}): MessagePayload {
  const about = { channel: 'general', sender: 'ada', text: `message ${id}`, replyTo: null, filename: null }
  return { ...pendingRow(about, id, id), ...more }
}

export const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => row(from + at))
