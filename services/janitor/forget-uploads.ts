import { type Seconds, uuidFrom } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Without progress. The client sends a message for 23 hours. */
const KEPT: Seconds = 24 * 3600
/** A file without a row belongs to an upload that was cancelled, or whose account is gone. */
const MAY_LACK_ROW: Seconds = 3600
/** For the quota of a day. */
const COUNTED: Seconds = 24 * 3600
const BATCH = 500

/** Removes uploads in parts that nobody continues (interface 13.1), and what a crash left of others. */
export async function forgetUploads({ db, files, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from uploads
        where id in (select id from uploads where changed_ts < $1 order by changed_ts limit $2 for update skip locked)`,
      [clock.now() - KEPT, BATCH],
    )
    count = rowCount ?? 0
  }
  await db.query('delete from spent_uploads where ts < $1', [clock.now() - COUNTED])
  const before = clock.now() - MAY_LACK_ROW
  for await (const { name, ts } of files.uploads.list()) {
    if (ts >= before || !(await isGone(name))) continue
    await files.uploads.remove(name)
    forgotten++
  }
  return forgotten

  async function isGone(id: string) {
    if (uuidFrom(id) === undefined) return true
    const { rowCount } = await db.query('select from uploads where id = $1 and not sent', [id])
    return rowCount === 0
  }
}
