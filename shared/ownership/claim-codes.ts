import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Db } from '#shared/stores/postgres.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import { hasOwner, lockOwnership } from './ownership.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LENGTH = 16
const FORM = /^[A-Z2-7]{16}$/

/**
 * Makes the code of the link that makes the first owner, and voids earlier ones; undefined if there is an owner. The
 * code is returned once and stored as a hash only.
 */
export function makeClaimCode(pool: pg.Pool): Promise<string | undefined> {
  return inTransaction(pool, async tx => {
    await lockOwnership(tx)
    if (await hasOwner(tx)) return undefined
    const code = [...randomBytes(LENGTH)].map(byte => ALPHABET[byte % ALPHABET.length]).join('')
    await voidClaimCodes(tx)
    await tx.query(
      'insert into claim_codes (code_hash, made_ts) values ($1, extract(epoch from clock_timestamp()))',
      [hashOf(code)],
    )
    return code
  })
}

/** True for the newest code while there is no owner. */
export async function isClaimable(db: Db, code: string): Promise<boolean> {
  if (!FORM.test(code)) return false
  const { rowCount } = await db.query('select from claim_codes where code_hash = $1', [hashOf(code)])
  return rowCount === 1 && !(await hasOwner(db))
}

export async function voidClaimCodes(tx: Db): Promise<void> {
  await tx.query('delete from claim_codes')
}

const hashOf = (code: string) => createHash('sha256').update(code).digest()
