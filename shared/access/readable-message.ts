import { idFrom, type Seconds, type Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { IS_NOT_REMOVED, SHOWN_SENDER } from './deleted-accounts.ts'
import { findReadableChannel, type ReadableChannel } from './readable-channel.ts'

export interface ReadableMessage {
  id: number
  channel: ReadableChannel
  sender: string
  content: string | null
  filename: string | null
  ts: Seconds
  deleted: 0 | 1
}

type MessageRow = Omit<ReadableMessage, 'channel'> & { channel: string }

/** Finds a message through its channel; 404 for unknown and unreadable ones alike. Deleted ones have no content. */
export async function readableMessage(
  stores: Stores,
  viewer: Username,
  idText: unknown,
): Promise<ReadableMessage> {
  const message = await findReadableMessage(stores, viewer, idText)
  if (!message) throw errors.notFound()
  return message
}

export async function findReadableMessage(
  stores: Stores,
  viewer: Username,
  idText: unknown,
): Promise<ReadableMessage | undefined> {
  const id = idFrom(idText)
  if (id === undefined) return undefined
  return throughItsChannel(stores, viewer, await messageWhere(stores, 'id = $1', id))
}

/** Returns the message that carries a stored file; undefined when it is deleted. */
export async function findMessageOfFile(
  stores: Stores,
  viewer: Username,
  filename: string,
): Promise<ReadableMessage | undefined> {
  return throughItsChannel(
    stores,
    viewer,
    await messageWhere(stores, 'filename = $1 and deleted = 0', filename),
  )
}

async function messageWhere(stores: Stores, condition: string, value: unknown) {
  const { rows } = await stores.db.query<MessageRow>(
    `select id, channel, ${SHOWN_SENDER} as sender, ts, deleted,
            case when deleted = 0 then content end as content,
            case when deleted = 0 then filename end as filename
       from messages message
      where ${condition} and ${IS_NOT_REMOVED}`,
    [value],
  )
  return rows[0]
}

async function throughItsChannel(stores: Stores, viewer: Username, row: MessageRow | undefined) {
  if (!row) return undefined
  const channel = await findReadableChannel(stores, viewer, row.channel)
  if (!channel || row.ts < channel.historyStart) return undefined
  return { ...row, channel }
}
