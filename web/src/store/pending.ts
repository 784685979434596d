/** Messages that were written on this device and that the server has not yet given back. Pure. */
import type { MessagePayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Milliseconds, Seconds } from '#shared/rules/units.ts'

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
  /** Its place in the queue, of all tabs of this device. */
  order: number
  /** How often it went out. What another tab or an earlier page has begun counts as tried. */
  tries: number
  /** When it was written, or last told to go out. */
  startedAt: Milliseconds
  /** Known from the answer, or from the frame that came before it. */
  id?: number
  /** Why it failed, in the server's words, if it gave any. */
  reason?: string
}

/** The server knows an id for a day (decisions, Idempotent send). What is older is sent by a person's word alone. */
const REMEMBERED: Milliseconds = 23 * 3_600_000

export const isOld = (one: Pending, now: Milliseconds) => now - one.startedAt > REMEMBERED

/** The pauses between attempts; without end, since whoever writes on a train should not have to press anything. */
const WAITS: Milliseconds[] = [1_000, 2_000, 4_000, 8_000]
const LONGEST_WAIT: Milliseconds = 15_000

export const waitAfter = (attempts: number, asked: Milliseconds = 0): Milliseconds =>
  Math.max(WAITS[attempts - 1] ?? LONGEST_WAIT, Math.min(asked, 2 * LONGEST_WAIT))

/** After so many attempts one is told that it takes longer. */
export const isLate = (one: Pending) => one.state === 'waiting' && one.tries > 2

/** What an attempt that failed means: it will never do, the session is over, or later it may do. */
export function verdictOf(status: number, attempts: number): 'refused' | 'signed out' | 'away' {
  if (status === 401) return 'signed out'
  // Nobody there, or nobody behind the front door, or too many at once.
  if ([0, 408, 425, 429, 502, 503, 504].includes(status)) return 'away'
  // A server that stumbles over this very message would hold up all that wait behind it.
  return status >= 500 && attempts < WAITS.length ? 'away' : 'refused'
}

/** In the order of writing, whichever tab it was. */
export const inOrder = (list: Pending[]) => list.toSorted((a, b) => a.order - b.order)

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
    if (one.id !== undefined || one.tries === 0) continue
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
