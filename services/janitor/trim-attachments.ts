import { seconds, takeTimes } from '#shared/channels/channel-clock.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { isStoredName } from '#shared/domain/uploads.ts'
import { runTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

const GIB = 1024 ** 3
/** Messages per look-up, and most per transaction. */
const BATCH = 100

/**
 * Retention by size (`retention_max_gb`): deletes the oldest attachments until the rest fits, each in the way its
 * sender would: the message becomes a tombstone.
 */
export async function trimAttachments(stores: Stores): Promise<number> {
  const { retention_max_gb } = stores.settings.current
  if (retention_max_gb === 0) return 0
  const sizes = await attachmentSizes(stores)
  let excess = sum(sizes.values()) - retention_max_gb * GIB
  let trimmed = 0
  while (excess > 0) {
    const chosen: Attachment[] = []
    for (const attachment of await oldestAttachments(stores.db)) {
      if (excess <= 0) break
      chosen.push(attachment)
      excess -= sizes.get(attachment.filename) ?? 0
    }
    if (chosen.length === 0) break
    for (const [channel, some] of Map.groupBy(chosen, one => one.channel)) await bury(stores, channel, some)
    trimmed += chosen.length
  }
  return trimmed
}

interface Attachment {
  id: number
  channel: ChannelId
  filename: string
}

async function attachmentSizes({ files }: Stores): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { name, size } of files.list()) if (isStoredName(name)) sizes.set(name, size)
  return sizes
}

async function oldestAttachments(db: Db): Promise<Attachment[]> {
  const { rows } = await db.query<Attachment>(
    'select id, channel, filename from messages where filename is not null order by ts limit $1',
    [BATCH],
  )
  return rows
}

async function bury(stores: Stores, channel: ChannelId, attachments: Attachment[]) {
  const ids = attachments.map(({ id }) => id)
  const besides = [{ collections: ['mentions', 'inbox'] as const, channel }]
  await runTransaction(stores, 'delete', { channel, besides }, tx => buryMessages(tx, channel, ids))
  for (const { filename } of attachments) await stores.files.remove(filename)
}

/** Turns messages into empty tombstones at the channel's next times (architecture 2.2). */
async function buryMessages(tx: Db, channel: ChannelId, ids: number[]) {
  await tx.query(
    `with tick as (
       update channels channel
          set ${takeTimes('cardinality($2::bigint[])')}
        where id = $1
       returning clock_us
     ), buried as (
       update messages
          set deleted = 1, deleted_ts = ${seconds('clock_us - cardinality($2::bigint[]) + place')},
              content = null, filename = null, mentions = null, extra = null
         from tick
        cross join unnest($2::bigint[]) with ordinality as chosen (chosen_id, place)
        where id = chosen_id and deleted = 0
       returning id
     ), forgotten as (
       delete from message_mentions using buried where message_id = buried.id
     )
     delete from reactions using buried where message_id = buried.id`,
    [channel, ids],
  )
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)
