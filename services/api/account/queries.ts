import { ACCOUNT_LOCK } from '#shared/access/account-locks.ts'
import type { AccountState, Role } from '#shared/domain/roles.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface Account {
  username: Username
  password_hash: string
  created_ts: Seconds
  lockout_until: Seconds | null
  role: Role
  state: AccountState
  /** The janitor is about to rename it. */
  is_renamed: boolean
}

/** Case-insensitive. */
export async function accountOf(db: Db, name: string): Promise<Account | undefined> {
  const { rows } = await db.query<Account>(
    `select username, password_hash, created_ts, lockout_until, role, state,
            exists (select from account_renames renaming where renaming.username = users.username) as is_renamed
       from users
      where username_key = lower($1)`,
    [name],
  )
  return rows[0]
}

/** Makes an active person an owner; false if there is none of that name. */
export async function makeOwner(tx: Db, username: Username): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update users set role = 'owner' where username = $1 and state = 'active' and kind = 'person'`,
    [username],
  )
  return rowCount === 1
}

export interface Lockout {
  /** Zero or less: no lockout. */
  attempts: number
  lasts: Seconds
}

const FAILURES = 'case when lockout_until <= $2 then 1 else failed_attempts + 1 end'

/**
 * Counts a failure and locks the account at the limit; returns whether this failure locked it. It is a single statement,
 * so that concurrent failures all count. The count restarts after a lockout.
 */
export async function countFailure(db: Db, username: Username, now: Seconds, { attempts, lasts }: Lockout) {
  const { rows } = await db.query<{ locked: boolean }>(
    `update users
        set failed_attempts = ${FAILURES},
            lockout_until = case
              when $3::bigint > 0 and ${FAILURES} >= $3 then $2::double precision + $4::double precision
              when lockout_until > $2 then lockout_until
            end
      where username = $1
     returning failed_attempts = $3 and lockout_until > $2 as locked`,
    [username, now, attempts, lasts],
  )
  return rows[0]?.locked ?? false
}

/**
 * Clears the count of failures after a right password. False when the account was locked meanwhile: concurrent guesses
 * get no more tries than sequential ones.
 */
export async function clearFailures(db: Db, username: Username, now: Seconds, { attempts }: Lockout) {
  const { rowCount } = await db.query(
    `update users
        set failed_attempts = 0,
            lockout_until = null
      where username = $1
        and ($3::bigint <= 0 or lockout_until is null or lockout_until <= $2)`,
    [username, now, attempts],
  )
  return rowCount === 1
}

/** Replaces a verified hash; false when it changed meanwhile. */
export async function replaceHash(db: Db, username: Username, from: string, to: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update users set password_hash = $3 where username = $1 and password_hash = $2',
    [username, from, to],
  )
  return rowCount === 1
}

/** Sets the password unconditionally and lifts a lockout. */
export async function setPassword(db: Db, username: Username, passwordHash: string): Promise<void> {
  await db.query(
    `update users
        set password_hash = $2, failed_attempts = 0, lockout_until = null
      where username = $1`,
    [username, passwordHash],
  )
}

/** Locks the account, so that its tokens have one writer. */
export async function lockAccountOfToken(tx: Db, tokenHash: Buffer): Promise<void> {
  await tx.query(
    `select
       from users
      where username = (select username from reset_tokens where token_hash = $1)
        ${ACCOUNT_LOCK.row}`,
    [tokenHash],
  )
}

/** Replaces all earlier tokens of the account. */
export async function replaceTokens(
  tx: Db,
  username: Username,
  tokenHash: Buffer,
  { issued, expires }: { issued: Seconds; expires: Seconds },
): Promise<void> {
  await tx.query('delete from reset_tokens where username = $1', [username])
  await tx.query(
    'insert into reset_tokens (token_hash, username, issued_ts, expires_ts) values ($1, $2, $3, $4)',
    [tokenHash, username, issued, expires],
  )
}

const ACTIVE = 'token_hash = $1 and used_ts is null and expires_ts > $2'

export async function accountOfToken(db: Db, tokenHash: Buffer, now: Seconds): Promise<Username | undefined> {
  const { rows } = await db.query<{ username: Username }>(
    `select username from reset_tokens where ${ACTIVE}`,
    [tokenHash, now],
  )
  return rows[0]?.username
}

/** Marks an active token as used; true for one caller only. */
export async function useToken(db: Db, tokenHash: Buffer, now: Seconds): Promise<boolean> {
  const { rowCount } = await db.query(`update reset_tokens set used_ts = $2 where ${ACTIVE}`, [
    tokenHash,
    now,
  ])
  return rowCount === 1
}
