import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface UploadRow {
  id: string
  originalName: string
  size: number
  /** A message carries it. */
  sent: boolean
}

const COLUMNS = 'id, original_name as "originalName", bytes as size, sent'

/** In no order. */
export async function uploadsWithIds(
  db: Db,
  username: Username,
  ids: readonly string[],
): Promise<UploadRow[]> {
  const { rows } = await db.query<UploadRow>(
    `select ${COLUMNS} from uploads where username = $1 and id = any($2::uuid[])`,
    [username, ids],
  )
  return rows
}

/** Locks the upload: parts are appended one after the other. */
export async function lockUpload(tx: Db, username: Username, id: string): Promise<UploadRow | undefined> {
  const { rows } = await tx.query<UploadRow>(
    `select ${COLUMNS} from uploads where username = $1 and id = $2 for update`,
    [username, id],
  )
  return rows[0]
}

/** False if the id is taken. */
export async function insertUpload(
  db: Db,
  username: Username,
  { id, originalName, size }: Omit<UploadRow, 'sent'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into uploads (id, username, original_name, bytes, changed_ts)
     values ($1, $2, $3, $4, extract(epoch from clock_timestamp()))
     on conflict (id) do nothing`,
    [id, username, originalName, size],
  )
  return rowCount === 1
}

/** Open uploads of a person, the one without progress for longest first. */
export async function openUploads(db: Db, username: Username): Promise<{ id: string; isIdle: boolean }[]> {
  const { rows } = await db.query<{ id: string; isIdle: boolean }>(
    `select id, changed_ts < extract(epoch from now()) - 600 as "isIdle"
       from uploads
      where username = $1 and not sent
      order by changed_ts`,
    [username],
  )
  return rows
}

export async function noteProgress(db: Db, id: string): Promise<void> {
  await db.query('update uploads set changed_ts = extract(epoch from clock_timestamp()) where id = $1', [id])
}

/** Their rows stay for a day, so that a repeated request uploads nothing again. */
export async function markSent(db: Db, username: Username, ids: readonly string[]): Promise<void> {
  await db.query('update uploads set sent = true where username = $1 and id = any($2::uuid[])', [
    username,
    ids,
  ])
}

/** False for an unknown upload, and for one that a message carries. */
export async function deleteUpload(db: Db, username: Username, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from uploads where username = $1 and id = $2 and not sent', [
    username,
    id,
  ])
  return rowCount === 1
}
