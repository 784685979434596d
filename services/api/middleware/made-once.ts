import type { Username } from '#shared/domain/units.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { isDuplicate } from '#shared/stores/postgres-errors.ts'

/** The response to a request that made something. */
export interface Made {
  status: number
  body: unknown
}

/**
 * Runs `make`, or returns the first response to the same `client_id` of the last 24 hours (interface 10). `make` calls
 * `keep` in its transaction.
 */
export async function madeOnce(
  db: Db,
  username: Username,
  path: string,
  clientId: string | undefined,
  make: (keep: (tx: Db, made: Made) => Promise<void>) => Promise<Made>,
): Promise<Made> {
  if (clientId === undefined) return make(async () => {})
  const earlier = await madeBefore(db, username, path, clientId)
  if (earlier) return earlier
  try {
    return await make((tx, made) => keepMade(tx, username, path, clientId, made))
  } catch (err) {
    // The same request may have reached another process first.
    const mayBeRepeated =
      isDuplicate(err, 'made_once_pkey') || (err instanceof HttpError && err.status === 409)
    const first = mayBeRepeated && (await madeBefore(db, username, path, clientId))
    if (first) return first
    throw err
  }
}

/** Stores a response for repetitions of the request. */
export async function keepMade(
  tx: Db,
  username: Username,
  path: string,
  clientId: string,
  { status, body }: Made,
): Promise<void> {
  await tx.query(
    'insert into made_once (username, client_id, path, status, body) values ($1, $2, $3, $4, $5)',
    [username, clientId, path, status, JSON.stringify(body)],
  )
}

/** The janitor deletes older ones. Throws if the id belongs to a request to another path. */
async function madeBefore(
  db: Db,
  username: Username,
  path: string,
  clientId: string,
): Promise<Made | undefined> {
  const { rows } = await db.query<Made & { path: string }>(
    'select path, status, body from made_once where username = $1 and client_id = $2',
    [username, clientId],
  )
  if (!rows[0]) return undefined
  const { path: first, ...made } = rows[0]
  if (first !== path) throw errors.clientIdUsed()
  return made
}
