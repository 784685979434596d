import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Username } from '#shared/domain/units.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { isClaimable, voidClaimCodes } from '#shared/ownership/claim-codes.ts'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { putWebSetting } from '#shared/stores/workspace-settings.ts'
import { hashPassword } from '../password/password-hash.ts'
import { makeOwner } from '../queries.ts'
import { insertAccount } from './new-account.ts'
import { announce, readEverything } from './sign-up.ts'

export interface NewOwner {
  username: Username
  /** Empty: people see the username. */
  displayName: string
  password: string
  /** Empty: unchanged. */
  workspaceName: string
  /** Key of the limits of the request; its address is for the audit log. */
  network: string
  address: string | undefined
}

/** Makes the account of the first owner. The code works once, while there is no owner. */
export async function claimWithNewAccount(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  code: string,
  { username, displayName, password, workspaceName, network, address }: NewOwner,
): Promise<'claimed' | 'taken' | 'refused'> {
  if (!(await isClaimable(stores.db, code))) return 'refused'
  const passwordHash = await hashPassword(password, passwordIterations, [network])
  const outcome = await inTransaction(stores.pool, async tx => {
    await lockOwnership(tx)
    if (!(await isClaimable(tx, code))) return 'refused'
    const now = stores.clock.now()
    if (!(await insertAccount(tx, { username, displayName, passwordHash, now, role: 'owner' })))
      return 'taken'
    await readEverything(stores, tx, username)
    if (workspaceName !== '') await putWebSetting(tx, 'workspace_name', workspaceName, username)
    await finishClaim(tx, username, address, workspaceName)
    return 'claimed'
  })
  if (outcome !== 'claimed') return outcome
  log.info({ username }, 'workspace claimed')
  await stores.settings.refresh()
  await publishNotice(stores, noticeOf('changeSettings', {}))
  await announce(stores, username, 'owner')
  return outcome
}

/** Makes a signed-in person the first owner. */
export async function claimAs(
  stores: Stores,
  code: string,
  username: Username,
  address: string | undefined,
): Promise<boolean> {
  const isClaimed = await inTransaction(stores.pool, async tx => {
    await lockOwnership(tx)
    if (!(await isClaimable(tx, code)) || !(await makeOwner(tx, username))) return false
    await finishClaim(tx, username, address)
    return true
  })
  if (!isClaimed) return false
  log.info({ username }, 'workspace claimed')
  await publishNotice(stores, noticeOf('changeAccess', {}))
  return true
}

async function finishClaim(
  tx: Db,
  username: Username,
  address: string | undefined,
  workspaceName = '',
): Promise<void> {
  await voidClaimCodes(tx)
  const detail = workspaceName === '' ? {} : { workspace_name: workspaceName }
  const actor = { actor: username, actorKind: 'person', address } as const
  await insertAuditEntry(tx, { ...actor, action: 'owner.claimed', target: username, detail })
}
