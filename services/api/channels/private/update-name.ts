import type { Db } from '#shared/stores/postgres.ts'

/** False when the channel already has this name. */
export async function updateName(tx: Db, privateId: number, name: string): Promise<boolean> {
  const { rowCount } = await tx.query('update private_channels set name = $2 where id = $1 and name <> $2', [
    privateId,
    name,
  ])
  return rowCount === 1
}
