import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A chain of replies within a batch is walked from each of its messages: the cost grows with the square. */
const BATCH = 100
/** Length of a run, so that a janitor stops soon. */
const SLICE: Milliseconds = 2_000

/**
 * Gives replies from before 0055_threads.sql the root of their thread, oldest first. Nothing changes on the wire but
 * `extra`. Afterwards a run is one look at an empty index.
 */
export async function fillThreads({ db }: Stores): Promise<number> {
  const until = performance.now() + SLICE
  let filled = 0
  for (let count = BATCH; count === BATCH && performance.now() < until; filled += count) {
    // The rows of a send are a microsecond apart.
    const { rowCount } = await db.query(
      `with batch as materialized (
         select id
           from messages
          where reply_to_id is not null and thread_id is null
          order by id
          limit $1
            for no key update skip locked
       )
       update messages message
          set thread_id = thread_root(message.reply_to_id),
              part = (select case when count(*) = 0 then 0 else count(*) + 1 end
                        from messages earlier
                       where earlier.channel = message.channel
                         and earlier.ts < message.ts
                         and earlier.ts > message.ts - 0.000102
                         and earlier.ord > message.ord - 101
                         and earlier.sender = message.sender
                         and earlier.reply_to_id = message.reply_to_id)
         from batch
        where message.id = batch.id`,
      [BATCH],
    )
    count = rowCount ?? 0
  }
  return filled
}
