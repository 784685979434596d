import type { Stores } from '#shared/stores/stores.ts'

const BATCH = 5_000

/** Deletes the earlier versions of edited texts once `keep_edits` is off. */
export async function forgetEdits({ db, settings }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH && !settings.current.keep_edits; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from message_edits
        where ctid = any(array(select ctid from message_edits limit $1 for update skip locked))`,
      [BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
