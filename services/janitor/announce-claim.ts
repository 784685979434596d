import { makeClaimCode } from '#shared/ownership/claim-codes.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Logs the link that makes the first owner, while there is none. `npm start`, which sets STACK_ID, prints it itself. */
export const announceClaim = (
  stores: Stores,
  { stackId, address }: Pick<Config, 'stackId' | 'address'>,
): Part => ({
  name: 'claim link',
  async start() {
    if (stackId !== undefined) return
    const code = await makeClaimCode(stores.pool)
    if (code !== undefined) log.warn(`No owner yet. Open ${address}/claim/${code}`)
  },
})
