import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** A tab leaves out frames that are older than its own change. */
export async function raiseRevision(tx: Db, viewer: Username): Promise<void> {
  await tx.query(
    `insert into sidebar_revisions as own (username, rev) values ($1, 1)
     on conflict (username) do update set rev = own.rev + 1`,
    [viewer],
  )
}
