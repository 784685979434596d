import type { Username } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { hashPassword } from '../account/password/password-hash.ts'
import { insertAccount } from '../account/sign-up/new-account.ts'

/**
 * Makes an account for a test of this installation, which deletes it again: no notice, no greeting, and no entry in the audit
 * log until the deletion.
 */
export async function makeRobot(
  { db, clock }: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  username: Username,
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(password, passwordIterations, [username])
  if (!(await insertAccount(db, { username, passwordHash, now: clock.now() })))
    throw errors.coded(409, 'conflict', `The name ${username} is taken.`)
}
