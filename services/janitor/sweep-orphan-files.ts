import { emojiFilesWith } from '#shared/domain/custom-emoji.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { imageOfThumbnail } from '#shared/domain/uploads.ts'
import { log } from '#shared/runtime/log.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A file is stored before the row that names it. */
const MAY_LACK_ROW: Seconds = 3600
/** Names per query. */
const BATCH = 500

/**
 * Crashes leave a few orphans. If most files seem to be orphans, the database is probably the wrong one: an empty one
 * beside restored files, or a backup older than the files.
 */
const FEW = 20
const MOST_OF_ALL = 0.5

/** Deletes files that no message and no account names, and abandoned uploads. Files with foreign names stay. */
export async function sweepOrphanFiles(stores: Stores): Promise<number> {
  const before = stores.clock.now() - MAY_LACK_ROW
  await forgetUnsent(stores.db, before)
  const { orphans, all } = await findOrphans(stores, before)
  if (orphans.length > FEW && orphans.length > all * MOST_OF_ALL) {
    log.error(
      { orphans: orphans.length, files: all },
      'most files belong to nothing: is this the right database?',
    )
    return 0
  }
  let removed = 0
  for (let i = 0; i < orphans.length; i += BATCH) {
    // A message may name one by now.
    for (const name of await unnamed(stores.db, orphans.slice(i, i + BATCH), before)) {
      await stores.files.remove(name)
      const emoji = emojiFilesWith(name)
      if (emoji?.picture === name) await stores.files.remove(emoji.still)
      removed++
    }
  }
  return removed + (await stores.files.removeIncoming(before))
}

/** Returns names as in rows: a thumbnail counts as its image and is removed with it. */
async function findOrphans({ db, files }: Stores, before: Seconds) {
  const orphans = new Set<string>()
  const batch = new Set<string>()
  let all = 0
  const ask = async () => {
    for (const name of await unnamed(db, [...batch], before)) orphans.add(name)
    batch.clear()
  }
  for await (const { name, ts } of files.list()) {
    const image = imageOfThumbnail(name)
    const emoji = emojiFilesWith(name)
    if (image === undefined) all++
    if (ts >= before) continue
    // An upload that was converted, or never will be, has no row.
    batch.add(image ?? (emoji && name !== emoji.source ? emoji.picture : name))
    if (batch.size >= BATCH) await ask()
  }
  await ask()
  return { orphans: [...orphans], all }
}

/** The row of a file is older than that of its message. */
async function unnamed(db: Db, names: string[], before: Seconds): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name
       from unnest($1::text[]) as file (name)
      where not exists (select from messages where filename = name)
        and not exists (select from files where files.name = file.name and message_id is null and ts >= $2)
        and not exists (select from users where avatar_file = name)
        and not exists (select from custom_emoji emoji where emoji.file = file.name)
        and not exists (select from workspace_settings where key = 'logo' and value = to_jsonb(name))`,
    [names, before],
  )
  return rows.map(row => row.name)
}

/** Rows of files whose message was never stored. */
async function forgetUnsent(db: Db, before: Seconds) {
  await db.query('delete from files where message_id is null and ts < $1', [before])
}
