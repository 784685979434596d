import { makeClaimCode } from '#shared/ownership/claim-codes.ts'
import { addressOfBothy, reachOfLinks } from './environment.ts'
import type { Outcome } from './outcome.ts'
import { withStores } from './stores.ts'

/** Makes the link by which somebody becomes the first owner, and voids earlier ones. */
export async function ownerLink(rest: string[]): Promise<Outcome> {
  if (rest.length > 0) throw new Error('npm run admin -- owner-link takes no names.')
  const code = await withStores(stores => makeClaimCode(stores.pool))
  if (code === undefined) throw new Error('The workspace has an owner already.')
  const url = new URL(`/claim/${code}`, addressOfBothy()).href
  return {
    text: `${url}\n\nWhoever opens this link first owns the workspace. It replaces those before it.${reachOfLinks()}`,
    json: { url },
  }
}
