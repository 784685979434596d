import { publicChannels } from '#shared/access/public-channels.ts'
import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { type PasswordRule, unmetPasswordRules } from '#shared/domain/password.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type UsernameRule, unmetUsernameRules } from '#shared/domain/username.ts'
import { type Invalidated, publishInvalidated } from '#shared/notices/invalidated.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { runStatement } from '#shared/notices/write.ts'
import { voidClaimCodes } from '#shared/ownership/claim-codes.ts'
import { isFresh, lockOwnership } from '#shared/ownership/ownership.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { markJoined } from '../../channels/read-state/read-marker.ts'
import { keepMade } from '../../middleware/made-once.ts'
import { findInvitation, lockInvitation, useInvitation } from '../invites/invitation.ts'
import { hashPassword } from '../password/password-hash.ts'
import { insertAccount, type NewAccount } from './new-account.ts'

export type SignUpRule = UsernameRule | PasswordRule

/** The rules of interface 4.1 that these fields break, in its order; a taken name is found later. */
export function unmetRules(username: string, password: string, confirmation: string): SignUpRule[] {
  return [...unmetUsernameRules(username), ...unmetPasswordRules(password, confirmation)]
}

/** Path of the endpoint, for repetitions. */
export const SIGN_UP = '/signup'

export interface NewPerson {
  username: Username
  /** Empty: people see the username. */
  displayName: string
  password: string
  /** Id of the form, for repetitions of the request. */
  clientId?: string | undefined
  /** Code of the invitation; empty without one. */
  invite: string
  /** Key of the limits of the request. */
  network: string
  /** For the audit log. */
  address: string | undefined
}

/** `pending`: the account waits for approval. `closed` and `uninvited`: the mode of sign-up permits none. */
export type SignUpOutcome = 'active' | 'pending' | 'taken' | 'closed' | 'uninvited' | 'bad invitation'

/** The reason for which nobody can sign up with these means, whatever the fields. */
export function signUpRefusal({ settings }: Stores, invite: string): 'closed' | 'uninvited' | undefined {
  const { signup_mode } = settings.current
  if (signup_mode === 'closed') return 'closed'
  return signup_mode === 'invite' && invite === '' ? 'uninvited' : undefined
}

/** Creates the account from valid fields. Account and use of the invitation are one transaction. */
export async function signUp(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  { username, displayName, password, clientId, invite, network, address }: NewPerson,
): Promise<SignUpOutcome> {
  const refusal = signUpRefusal(stores, invite)
  if (refusal !== undefined) return refusal
  if (invite !== '' && !(await findInvitation(stores, invite))) return 'bad invitation'
  const passwordHash = await hashPassword(password, passwordIterations, [network])
  const invalidated: Invalidated[] = []
  let role = 'member' as Role
  const outcome = await inTransaction(stores.pool, async (tx): Promise<SignUpOutcome> => {
    const invitation = invite === '' ? undefined : await lockInvitation(stores, tx, invite)
    if (invite !== '' && !invitation) return 'bad invitation'
    const isPending = !invitation && stores.settings.current.signup_mode === 'approval'
    role = invitation ? invitation.role : await roleOfNewcomer(stores, tx)
    const state = isPending ? 'pending' : 'active'
    const now = stores.clock.now()
    const made: NewAccount = { username, displayName, passwordHash, now, role, state, invitation }
    if (!(await insertAccount(tx, made))) return 'taken'
    if (clientId) await keepMade(tx, username, SIGN_UP, clientId, { status: 302, body: null })
    if (!isPending && role !== 'guest') await readEverything(stores, tx, username)
    const actor = { actor: username, actorKind: 'person', address } as const
    const detail = { state, role, ...(invitation && { invite: invitation.id }) }
    await insertAuditEntry(tx, { ...actor, action: 'signup', detail })
    if (role === 'owner') await insertAuditEntry(tx, { ...actor, action: 'owner.claimed', target: username })
    if (invitation) await useInvitation(stores, tx, invitation, username, { invalidated, address })
    return state
  })
  if (outcome !== 'active' && outcome !== 'pending') return outcome
  log.info({ username, outcome }, 'account made')
  if (outcome === 'active') await announce(stores, username, role)
  else await publishNotice(stores, noticeOf('changeWaiting', {}))
  await publishInvalidated(stores, invalidated)
  return outcome
}

/** The first person of a fresh server owns it. The lock decides between concurrent first sign-ups. */
async function roleOfNewcomer({ settings }: Stores, tx: Db): Promise<Role> {
  const { first_account_is_owner, signup_mode } = settings.current
  if (!first_account_is_owner || signup_mode !== 'open' || !(await isFresh(tx))) return 'member'
  await lockOwnership(tx)
  if (!(await isFresh(tx))) return 'member'
  await voidClaimCodes(tx)
  return 'owner'
}

/** Messages from before sign-up are not unread (interface 4.1). */
export async function readEverything(stores: Stores, tx: Db, username: Username): Promise<void> {
  await markJoined(tx, [username], await defaultChannels({ ...stores, db: tx }))
}

async function defaultChannels(stores: Stores): Promise<ChannelId[]> {
  const open = await publicChannels(stores)
  return open.filter(({ isDefault }) => isDefault).map(({ channel }) => channel)
}

/** Tells the gateways of a new active account, after its commit, and greets all but guests in the first channel. */
export async function announce(stores: Stores, username: Username, role: Role): Promise<void> {
  if (role === 'guest') return publishNotice(stores, noticeOf('signUp', {}))
  const channels = await defaultChannels(stores)
  for (const channel of channels) {
    await publishNotice(stores, noticeOf('signUp', { channel }))
  }
  await welcome(stores, username, channels[0])
}

/** After the watermarks are set: the greeting is the newcomer's only unread message. */
async function welcome(stores: Stores, username: Username, channel: ChannelId | undefined) {
  if (channel === undefined) return
  try {
    await runStatement(stores, 'send', { channel }, db =>
      stores.rowLockQueues.run(channel, () =>
        insertSystemMessage(db, channel, `Welcome to bothy, ${username}! Say hello.`),
      ),
    )
  } catch (err) {
    // The account exists: a failure here would tell its owner that the name is taken.
    log.error({ err, username, channel }, 'no welcome message')
  }
}
