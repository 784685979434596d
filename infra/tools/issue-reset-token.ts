import { issueResetToken as issue } from '../../services/api/accounts/issue-reset-token.ts'
import { addressOfBothy } from './environment.ts'
import type { Outcome } from './outcome.ts'
import { withStores } from './stores.ts'

/**
 * Makes a password reset link. It cannot be shown again, because only its hash is stored (decisions, Reset token).
 */
export async function issueResetToken([name = '', ...rest]: string[]): Promise<Outcome> {
  if (name === '' || rest.length > 0)
    throw new Error('Whose password? npm run admin -- reset-password <username>')
  const issued = await withStores(stores => issue(stores, name))
  if (!issued) throw new Error(`There is no account named ${name}.`)
  const url = new URL(`/reset-password/${issued.token}`, addressOfBothy()).href
  return {
    text: `${url}

Give this link to ${issued.username} in a way you trust. It works once, for 24 hours, and replaces those before it.`,
    json: { username: issued.username, reset_url: url },
  }
}
