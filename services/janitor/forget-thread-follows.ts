import type { Stores } from '#shared/stores/stores.ts'

const BATCH = 5_000

/** Deletes who follows threads of which no message is left. */
export async function forgetThreadFollows({ db }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from thread_follows
        where ctid = any(array(
              select ctid
                from thread_follows follow
               where not exists (select from messages where id = follow.root_id)
                 and not exists (select from messages where thread_id = follow.root_id)
               limit $1
                 for update skip locked))`,
      [BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
