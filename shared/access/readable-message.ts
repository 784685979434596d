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
  return throughItsChannel(stores, viewer, await messageById(stores, id))
}

/** A stored file, through the message that carries it. */
export interface ReadableFile {
  /** As it was uploaded. */
  originalName: string
  type: string
  message: ReadableMessage
}

/** Finds a stored file; undefined also when its message is deleted. */
export async function findReadableFile(
  stores: Stores,
  viewer: Username,
  name: string,
): Promise<ReadableFile | undefined> {
  const { rows } = await stores.db.query<MessageRow & Omit<ReadableFile, 'message'>>(
    `select ${COLUMNS},
            coalesce(file.original_name, file_name_of(message.filename)) as "originalName",
            coalesce(file.type, file_type_of(message.filename)) as type
       from messages message
       left join files file on file.name = message.filename
      where message.filename = $1 and message.deleted = 0 and ${IS_NOT_REMOVED}`,
    [name],
  )
  if (!rows[0]) return undefined
  const { originalName, type, ...row } = rows[0]
  const message = await throughItsChannel(stores, viewer, row)
  return message && { originalName, type, message }
}

const COLUMNS = `
  message.id, message.channel, ${SHOWN_SENDER} as sender, message.ts, message.deleted,
  case when message.deleted = 0 then message.content end as content,
  case when message.deleted = 0 then message.filename end as filename`

async function messageById(stores: Stores, id: number) {
  const { rows } = await stores.db.query<MessageRow>(
    `select ${COLUMNS} from messages message where message.id = $1 and ${IS_NOT_REMOVED}`,
    [id],
  )
  return rows[0]
}

async function throughItsChannel(stores: Stores, viewer: Username, row: MessageRow | undefined) {
  if (!row) return undefined
  const channel = await findReadableChannel(stores, viewer, row.channel)
  if (!channel || row.ts < channel.historyStart) return undefined
  return { ...row, channel }
}
