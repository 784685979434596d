import { IS_NOT_REMOVED, SHOWN_SENDER } from '#shared/access/deleted-accounts.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { FileKind } from '#shared/domain/file-types.ts'
import type { ChannelFilePayload } from '#shared/domain/payloads/files.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { isIn } from '../search/conditions.ts'
import { wordsOf } from '../search/words.ts'

export interface FilesFilter {
  kind: FileKind | undefined
  /** Part of the original name, folded. */
  q: string | undefined
  sender: string | undefined
  /** Times are unique in a channel. */
  before: Seconds | undefined
  limit: number
}

const MOST_COUNTED = 1_000

/** As `kindOfType()` decides. */
const OF_KIND: Record<FileKind, string> = {
  image: `file.type like 'image/%'`,
  video: `file.type like 'video/%'`,
  audio: `file.type like 'audio/%'`,
  pdf: `file.type = 'application/pdf'`,
  text: `(file.type like 'text/%' or file.type = 'application/json')`,
  other: `file.type !~ '^(image|video|audio|text)/|^application/(pdf|json)$'`,
}

/** Files of the messages that the viewer may read, newest first. */
export async function channelFiles(
  db: Db,
  channel: ReadableChannel,
  { kind, q, sender, before, limit }: FilesFilter,
): Promise<ChannelFilePayload[]> {
  type Row = ChannelFilePayload & { width: number | null; height: number | null }
  const values: unknown[] = [
    channel.id,
    channel.historyStart,
    before ?? Number.POSITIVE_INFINITY,
    sender ?? null,
    limit,
  ]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const { fileNames } = await wordsOf(db, {
    words: { yes: [], no: [] },
    name: { yes: q === undefined ? [] : [q], no: [] },
  })
  const { rows } = await db.query<Row>(
    `select message.id as message_id, file.name, file.original_name, coalesce(file.bytes, 0) as size, file.type,
            ${SHOWN_SENDER} as sender, message.ts, file.width, file.height
       from messages message
       join files file on file.name = message.filename
      where message.channel = $1
        and message.filename is not null
        and message.ts >= $2 and message.ts < $3
        and message.deleted = 0
        and ${IS_NOT_REMOVED}
        ${fileNames.yes.map(name => `and ${isIn(name, 'search_text(file.original_name)', 'file.original_name', parameter)}`).join('')}
        ${
          sender === undefined
            ? 'and $4::text is null'
            : `and lower(message.sender) = lower(coalesce(account_named($4), $4))
               and message.sender not in (select username from account_deletions)`
        }
        ${kind === undefined ? '' : `and ${OF_KIND[kind]}`}
      order by message.ts desc
      limit $5`,
    values,
  )
  return rows.map(({ width, height, ...row }) => (width && height ? { ...row, width, height } : row))
}

/** The number of files of the messages that the viewer may read, at most 1,000. */
export async function countFiles(db: Db, channel: ReadableChannel): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count
       from (select
               from messages message
               join files file on file.name = message.filename
              where message.channel = $1
                and message.filename is not null
                and message.ts >= $2
                and message.deleted = 0
                and ${IS_NOT_REMOVED}
              limit ${MOST_COUNTED}) counted`,
    [channel.id, channel.historyStart],
  )
  return rows[0]!.count
}
