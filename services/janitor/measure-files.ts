import { imageSizeOf } from '#shared/domain/uploads.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Files per run: a run takes less than a second. */
const MOST = 1_000

/** Adds the sizes of files from before the table of files. A lost file has none. */
export async function measureFiles({ db, files }: Stores): Promise<number> {
  const { rows } = await db.query<{ name: string }>('select name from files where bytes is null limit $1', [
    MOST,
  ])
  if (rows.length === 0) return 0
  const names = rows.map(row => row.name)
  const bytes: number[] = []
  for (const name of names) bytes.push((await files.size(name)) ?? 0)
  const sizes = names.map(imageSizeOf)
  const { rowCount } = await db.query(
    `update files
        set bytes = measured.bytes, width = measured.width, height = measured.height
       from unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[]) as measured (name, bytes, width, height)
      where files.name = measured.name and files.bytes is null`,
    [names, bytes, sizes.map(size => size?.width ?? null), sizes.map(size => size?.height ?? null)],
  )
  return rowCount ?? 0
}
