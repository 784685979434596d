/** Messages that this tab has written and the server has not yet given back. Pure. */
import type { MessagePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Seconds } from '#shared/rules/units.ts'

export interface Pending {
  /** Also the `client_id` of the request: sent again, it stores nothing twice. And the row's key, also once it is real. */
  key: string
  channel: ChannelId
  text: string
  replyTo: number | null
  file?: File
  /** How it looks until the real row is here. */
  row: MessagePayload
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  /** The cursor of the channel when it was first sent: the real row is newer than this. */
  after: Seconds
  startedAt: number
  /** Known from the answer, or from the frame that came before it. */
  id?: number
  /** Why it failed, in the server's words; empty for a connection that was lost. */
  reason?: string
}

/**
 * The rows of a frame that are this tab's own: which pending message became which row. A frame may be here before the
 * answer that names the id; then sender, text and order decide, among rows newer than the moment of sending.
 */
export function claims(
  pending: Pending[],
  rows: MessagePayload[],
  viewer: string,
): Map<string, MessagePayload> {
  const claimed = new Map<string, MessagePayload>()
  const taken = new Set<number>()
  for (const one of pending) {
    const row = rows.find(candidate => candidate.id === one.id)
    if (!row) continue
    claimed.set(one.key, row)
    taken.add(row.id)
  }
  for (const one of pending) {
    if (one.id !== undefined || one.state === 'waiting') continue
    const row = rows.find(candidate => !taken.has(candidate.id) && couldBe(one, candidate, viewer))
    if (!row) continue
    claimed.set(one.key, row)
    taken.add(row.id)
  }
  return claimed
}

function couldBe(one: Pending, row: MessagePayload, viewer: string): boolean {
  if (row.sender !== viewer || row.ts <= one.after || row.reply_to_id !== one.replyTo) return false
  if (one.file) return row.filename !== null || row.deleted === 1
  return row.filename === null && row.content === one.text
}

/** The row as the sender sees it at once. Its time may not lie before the row above it, whatever the local clock says. */
export function pendingRow(
  of: { channel: ChannelId; sender: string; text: string; replyTo: number | null; filename: string | null },
  id: number,
  ts: Seconds,
): MessagePayload {
  return {
    id,
    channel: of.channel,
    sender: of.sender,
    content: of.text,
    filename: of.filename,
    ts,
    edited: 0,
    edited_ts: null,
    deleted: 0,
    deleted_ts: null,
    reply_to_id: of.replyTo,
    reactions: null,
    reactions_ts: null,
    mentions: null,
    content_type: 'text',
  }
}
