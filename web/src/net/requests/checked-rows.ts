/** Checks rows of the server, so that a malformed one is a sentence in its place instead of an exception while drawing. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { UNREADABLE } from '../../store/messages/items.ts'
import { report } from '../../store/reports.ts'
import { Failure } from './failure.ts'

/** Throws a `Failure` if the payload is not a list. Drops rows without an id or a time. */
export function checkedRows<Row extends MessagePayload>(rows: Row[]): Row[] {
  const list = checkedList(rows)
  if (list.every(isSound)) return list
  report({ what: 'malformed-response' })
  return list
    .filter(row => Number.isFinite(row?.id) && Number.isFinite(row.ts))
    .map(row => (isSound(row) ? row : unreadable(row)))
}

/** A malformed list is a failed request: the screen offers to try again. */
export const checkedList = <T>(payload: T[]): T[] => checked(payload, Array.isArray)

/** Throws a `Failure` if the payload is not an object with what the screen reads first. */
export function checked<T>(payload: T, isSound: (payload: T) => boolean): T {
  if (typeof payload === 'object' && payload !== null && isSound(payload)) return payload
  report({ what: 'malformed-response' })
  throw new Failure(502, '')
}

const isSound = (row: MessagePayload) =>
  typeof row?.id === 'number' &&
  typeof row.ts === 'number' &&
  typeof row.sender === 'string' &&
  [row.content, row.filename, row.reactions, row.mentions].every(
    value => value == null || typeof value === 'string',
  )

const unreadable = <Row extends MessagePayload>(row: Row) =>
  ({
    ...row,
    sender: '',
    content: null,
    filename: null,
    reply_to_id: null,
    reactions: null,
    mentions: null,
    content_type: UNREADABLE,
  }) as unknown as Row
