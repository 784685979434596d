import type { MessageFile } from '#shared/domain/payloads/messages.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** A file in the file store that a message will carry. */
export interface NewFile {
  name: string
  originalName: string
  bytes: number
  type: string
  width?: number
  height?: number
}

/** For `extra.file`. */
export const detailsOf = ({ originalName, bytes, type, width, height }: NewFile): MessageFile => ({
  name: originalName,
  size: bytes,
  type,
  ...(width && height ? { width, height } : {}),
})

const DAY: Seconds = 24 * 3600
const MIB = 1024 * 1024

/**
 * Records stored files before the message that carries them is inserted; a trigger links them. Throws if they exceed the
 * uploader's quota of a day. `ofUploads`: the uploads in parts that they come from, which are counted already.
 */
export async function recordFiles(
  stores: Stores,
  uploader: Username,
  files: readonly NewFile[],
  ofUploads: readonly string[] = [],
): Promise<void> {
  if (files.length === 0) return
  const added = files.reduce((sum, file) => sum + file.bytes, 0)
  if (stores.settings.current.user_upload_mb_per_day === 0) return insertFiles(stores.db, uploader, files)
  await countedAlone(stores, uploader, async tx => {
    await checkQuota(tx, stores, uploader, added, ofUploads)
    await insertFiles(tx, uploader, files)
  })
}

/** Forgets files whose message was not stored. */
export async function forgetFiles(stores: Stores, files: readonly NewFile[]): Promise<void> {
  if (files.length === 0) return
  const names = files.map(({ name }) => name)
  await stores.db.query('delete from files where name = any($1) and message_id is null', [names])
  await Promise.all(names.map(name => stores.files.remove(name)))
}

/** Runs `work` in a transaction; of a person's requests to upload at once, one after the other. */
export function countedAlone<T>(
  stores: Stores,
  uploader: Username,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return inTransaction(stores.pool, async tx => {
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [ADVISORY_LOCKS.uploadQuota, uploader])
    return work(tx)
  })
}

/** Throws if the person may not upload `bytes` more. Within `countedAlone`. */
export async function checkQuota(
  tx: Db,
  stores: Stores,
  uploader: Username,
  added: number,
  without: readonly string[] = [],
): Promise<void> {
  const megabytes = stores.settings.current.user_upload_mb_per_day
  if (megabytes === 0) return
  const used = await bytesOfDay(tx, uploader, without)
  if (used + added > megabytes * MIB) throw errors.quotaReached(megabytes)
}

/** Counts an upload that gets no row in `files`. Throws if it exceeds the quota of a day. */
export async function spendUpload(stores: Stores, uploader: Username, bytes: number): Promise<void> {
  if (stores.settings.current.user_upload_mb_per_day === 0) return insertSpent(stores.db, uploader, bytes)
  await countedAlone(stores, uploader, async tx => {
    await checkQuota(tx, stores, uploader, bytes)
    await insertSpent(tx, uploader, bytes)
  })
}

/** Bytes that the person uploaded now, and that count for the day whatever becomes of them. */
export async function insertSpent(db: Db, uploader: Username, bytes: number): Promise<void> {
  if (bytes === 0) return
  await db.query(
    `insert into spent_uploads (username, bytes, ts) values ($1, $2, extract(epoch from clock_timestamp()))`,
    [uploader, bytes],
  )
}

/** A send that stored its files and was broken off no longer counts after this time: the person sends it again. */
const UNSENT_COUNTS: Seconds = 60

/** Bytes that a person uploaded in the last 24 hours, deleted or not, and those of the open uploads. */
async function bytesOfDay(db: Db, uploader: Username, without: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(
    `select (coalesce((select sum(bytes) from files
                        where uploader = $1 and ts > extract(epoch from now()) - $3
                          and (message_id is not null or ts > extract(epoch from now()) - $4)), 0)
             + coalesce((select sum(bytes) from spent_uploads
                          where username = $1 and ts > extract(epoch from now()) - $3), 0)
             + coalesce((select sum(bytes) from uploads
                          where username = $1 and not sent and id <> all($2::uuid[])), 0))::double precision as bytes`,
    [uploader, without, DAY, UNSENT_COUNTS],
  )
  return rows[0]!.bytes
}

async function insertFiles(db: Db, uploader: Username, files: readonly NewFile[]): Promise<void> {
  await db.query(
    `insert into files (name, original_name, bytes, type, width, height, uploader, ts)
     select name, original_name, bytes, type, width, height, $1, extract(epoch from clock_timestamp())
       from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::integer[], $7::integer[])
            as file (name, original_name, bytes, type, width, height)`,
    [
      uploader,
      files.map(file => file.name),
      files.map(file => file.originalName),
      files.map(file => file.bytes),
      files.map(file => file.type),
      files.map(file => file.width ?? null),
      files.map(file => file.height ?? null),
    ],
  )
}
