import type { Username } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { logIn } from './log-in.ts'

/**
 * Verifies the password of a signed-in person. A wrong one counts as a failed log-in, and may lock the account. `asker`:
 * fields of the log line of a failure.
 */
export async function isOwnPassword(
  stores: Stores,
  config: Pick<Config, 'passwordIterations'>,
  viewer: Username,
  password: string,
  network: string,
  asker: object,
): Promise<boolean> {
  return !('problem' in (await logIn(stores, config, viewer, password, network, asker)))
}
