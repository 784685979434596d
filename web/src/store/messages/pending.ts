/** Messages written on this device that the server has not yet sent back. Pure. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Milliseconds, Seconds } from '#shared/domain/units.ts'

export interface Pending {
  /**
   * Also the `client_id` of the request, so that a retry stores nothing twice, and the row's key, also once it is
   * stored.
   */
  key: string
  channel: ChannelId
  text: string
  replyTo: number | null
  /** The channel of the composer in which it was written. */
  composedFor?: ChannelId
  /** The root of the thread in whose panel it was written. */
  thread?: number
  /** It notifies nobody. */
  quiet?: boolean
  /** The key of the first message of the same reply. */
  partOf?: string
  file?: File
  /** A large file, whose bytes the server does not have yet: the message is sent after them. */
  needsUpload?: boolean
  /** The row as shown until the stored one arrives. */
  row: MessagePayload
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  /** The cursor of the channel at the first attempt: the stored row is newer. */
  after: Seconds
  /** Position in the queue across all tabs of this device. */
  order: number
  /** Number of attempts, including one begun by another tab or an earlier page. */
  tries: number
  /** When it was written, or last retried by the user. */
  startedAt: Milliseconds
  /** From the response, or from the frame that came before it. */
  id?: number
  /** The server's reason for the failure, if it gave any. */
  reason?: string
}

/**
 * The server knows an id for a day (interface 4.3). Older messages are sent only on the user's request.
 */
const REMEMBERED: Milliseconds = 23 * 3_600_000

export const isOld = (one: Pending, now: Milliseconds) => now - one.startedAt > REMEMBERED

/** Pauses between attempts; without an end, so that a user on a train need not press anything. */
const WAITS: Milliseconds[] = [1_000, 2_000, 4_000, 8_000]
const LONGEST_WAIT: Milliseconds = 15_000

export const waitAfter = (attempts: number, asked: Milliseconds = 0): Milliseconds =>
  Math.max(WAITS[attempts - 1] ?? LONGEST_WAIT, Math.min(asked, 2 * LONGEST_WAIT))

/** After this many attempts the user is told about the delay. */
export const isLate = (one: Pending) => one.state === 'waiting' && one.tries > 2

/** Outcome of a failed attempt: permanent, session over, or to be retried. */
export function verdictOf(status: number, attempts: number): 'refused' | 'signed out' | 'away' {
  if (status === 401) return 'signed out'
  // No server, no service behind the front door, or too many requests.
  if ([0, 408, 425, 429, 502, 503, 504].includes(status)) return 'away'
  // A message that makes the server fail would block all that wait behind it.
  return status >= 500 && attempts < WAITS.length ? 'away' : 'refused'
}

/** In the order of writing, across tabs. */
export const inOrder = (list: Pending[]) => list.toSorted((a, b) => a.order - b.order)

/**
 * Matches pending messages with the rows of a frame. A frame may arrive before the response that names the id; then
 * sender, text and order decide, among rows newer than the moment of sending.
 */
export function matchPending(pending: Pending[], rows: MessagePayload[]): Map<string, MessagePayload> {
  const matches = new Map<string, MessagePayload>()
  const taken = new Set<number>()
  for (const one of pending) {
    const row = rows.find(candidate => candidate.id === one.id)
    if (!row) continue
    matches.set(one.key, row)
    taken.add(row.id)
  }
  for (const one of pending) {
    if (one.id !== undefined || one.tries === 0) continue
    const row = rows.find(candidate => !taken.has(candidate.id) && couldBe(one, candidate))
    if (!row) continue
    matches.set(one.key, row)
    taken.add(row.id)
  }
  return matches
}

function couldBe(one: Pending, row: MessagePayload): boolean {
  if (row.sender !== one.row.sender || row.ts <= one.after || row.reply_to_id !== one.replyTo) return false
  // The message of a file comes after its bytes.
  if (one.needsUpload) return false
  if (one.file) return row.deleted === 1 || (row.filename !== null && isSameFile(one.file, row))
  return row.filename === null && row.content === one.text
}

/** The server removes the metadata of images, which makes them smaller. */
function isSameFile({ name, size }: File, { extra }: MessagePayload): boolean {
  const stored = extra?.file
  return !stored || (stored.name === name && (stored.size === size || stored.type.startsWith('image/')))
}

/** A message as it enters the queue. `above`: time of the row above it. */
export function newPending(
  written: {
    channel: ChannelId
    sender: string
    text: string
    replyTo: number | null
    thread?: number
    composedFor?: ChannelId
    quiet?: boolean
    file: File | undefined
  },
  at: {
    key: string
    now: Milliseconds
    id: number
    order: number
    cursor: Seconds
    above: Seconds
    first: Pending | undefined
  },
): Pending {
  const { file, channel, text, replyTo, thread, composedFor = channel, quiet } = written
  const filename = file ? file.name : null
  const pending: Pending = {
    key: at.key,
    channel,
    text,
    replyTo,
    composedFor,
    ...(thread && { thread }),
    ...(quiet && { quiet }),
    ...(at.first && replyTo !== null && { partOf: at.first.key }),
    row: pendingRow({ ...written, filename }, at.id, Math.max(at.now / 1000, at.above)),
    state: 'waiting',
    after: at.cursor,
    order: at.order,
    tries: 0,
    startedAt: at.now,
  }
  return file ? { ...pending, file } : pending
}

/**
 * The sender's own row before it is stored. Its time is never before that of the row above, whatever the local clock
 * says.
 */
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
