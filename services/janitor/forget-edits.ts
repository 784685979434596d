import type { Stores } from '#shared/stores/stores.ts'
import { hideVersions } from './hide-versions.ts'

const BATCH = 5_000

/** Deletes the hidden versions of edited texts: all while `keep_edits` is off, and those of before it was. */
export async function forgetEdits(stores: Stores): Promise<number> {
  await hideVersions(stores)
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await stores.db.query(
      `delete from message_edits
        where ctid = any(array(
                select ctid
                  from message_edits
                 where kept_ts < (select before_ts from hidden_versions)
                 limit $1
                   for update skip locked))`,
      [BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
