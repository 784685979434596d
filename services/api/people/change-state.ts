import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { AccountState } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { keepOwner } from '#shared/ownership/ownership.ts'
import { passBots, passHooks } from '#shared/ownership/pass-bots.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { goOffline } from '../account/sessions/go-offline.ts'
import { runTransactionEndingSessions } from '../account/sessions/sessions.ts'
import { announce, readEverything } from '../account/sign-up/sign-up.ts'
import { leaveAllCallsOf } from '../calls/leave-calls-of.ts'
import { rejectAccount, setState } from './queries.ts'
import { type LockTarget, lockTarget } from './target.ts'

/**
 * Ends the sessions and streams of a person, who cannot sign in until reactivated. Memberships, messages and the name
 * stay, and their bots pass on. The janitor takes them out of calls if this process ends before it does. `lock` checks the
 * right to act on the account.
 */
export async function deactivate(
  stores: Stores,
  actor: Actor,
  name: Username,
  lock: LockTarget = lockTarget,
): Promise<void> {
  await runTransactionEndingSessions(stores, 'changeAccess', name, async tx => {
    const { target } = await lock(tx, actor, name)
    if (target.state === 'deactivated') return unchanged
    checkNotPending(target.state)
    await keepOwner(tx, name)
    await setState(tx, name, 'deactivated', stores.clock.now())
    await goOffline(tx, name)
    await insertAuditEntry(tx, { ...actor, action: `${target.kind}.deactivated`, target: name })
    await passHooks(tx, actor, name, await passBots(tx, actor, name))
    return undefined
  })
  await leaveAllCallsOf(stores, name)
}

export async function reactivate(
  stores: Stores,
  actor: Actor,
  name: Username,
  lock: LockTarget = lockTarget,
): Promise<void> {
  await runTransaction(stores, 'changeAccess', {}, async tx => {
    const { target } = await lock(tx, actor, name)
    if (target.state === 'active') return unchanged
    checkNotPending(target.state)
    await setState(tx, name, 'active', stores.clock.now())
    await insertAuditEntry(tx, { ...actor, action: `${target.kind}.reactivated`, target: name })
    return undefined
  })
}

/** Admits a person who waits for approval; the first channel greets them. */
export async function approve(stores: Stores, actor: Actor, name: Username): Promise<void> {
  const role = await runTransaction(stores, 'changeAccess', {}, async tx => {
    const { target } = await lockTarget(tx, actor, name)
    checkPending(target.state)
    await setState(tx, name, 'active', stores.clock.now())
    if (target.role !== 'guest') await readEverything(stores, tx, name)
    await insertAuditEntry(tx, { ...actor, action: 'person.approved', target: name })
    return target.role
  })
  await announce(stores, name, role)
}

/** Removes the account of a person who waits for approval; the name is free again. */
export async function reject(stores: Stores, actor: Actor, name: Username): Promise<void> {
  await runTransaction(stores, 'changeWaiting', {}, async tx => {
    const { target } = await lockTarget(tx, actor, name)
    checkPending(target.state)
    await rejectAccount(tx, name)
    await insertAuditEntry(tx, { ...actor, action: 'person.rejected', target: name })
  })
}

function checkNotPending(state: AccountState) {
  if (state === 'pending') throw errors.coded(409, 'conflict', 'The account waits for approval.')
}

function checkPending(state: AccountState) {
  if (state !== 'pending') throw errors.coded(409, 'conflict', 'The account does not wait for approval.')
}
