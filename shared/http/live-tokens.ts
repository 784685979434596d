import { gathered } from './gathered.ts'

/** SQL: the token may be used at `$2`. Requires `api_tokens token` and `users account`, its owner. */
export const IS_LIVE = `token.revoked_ts is null and coalesce(token.expires_ts > $2, true) and account.state = 'active'`

export const isAmongLive = gathered(async ({ db, clock }, hashes) => {
  const { rows } = await db.query<{ hash: Buffer }>(
    `select token.hash
       from api_tokens token
       join users account on account.username = token.username
      where token.hash = any($1) and ${IS_LIVE}`,
    [hashes, clock.now()],
  )
  return rows.map(({ hash }) => hash)
})
