import { publicChannels } from '#shared/access/public-channels.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { type PasswordRule, unmetPasswordRules } from '#shared/domain/password.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type UsernameRule, unmetUsernameRules } from '#shared/domain/username.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { runStatement } from '#shared/notices/write.ts'
import { isFresh, lockOwnership } from '#shared/ownership/ownership.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { markRead } from '../read-state/read-marker.ts'
import { hashPassword } from './password-hash.ts'
import { insertAccount } from './queries.ts'

export type SignUpRule = UsernameRule | PasswordRule

/** The rules of interface 4.1 that these fields break, in its order; a taken name is found later. */
export function unmetRules(username: string, password: string, confirmation: string): SignUpRule[] {
  return [...unmetUsernameRules(username), ...unmetPasswordRules(password, confirmation)]
}

/** Creates the account from valid fields. False when the name is taken. */
export async function signUp(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  username: Username,
  password: string,
  network: string,
): Promise<boolean> {
  const passwordHash = await hashPassword(password, passwordIterations, [network])
  const isMade = await inTransaction(stores.pool, async tx => {
    const role = await roleOfNewcomer(stores, tx)
    if (!(await insertAccount(tx, { username, passwordHash, now: stores.clock.now(), role }))) return false
    await readEverything(stores, tx, username)
    return true
  })
  if (!isMade) return false
  log.info({ username }, 'account made')
  await announce(stores, username)
  return true
}

/** The first person of a fresh server owns it. The lock decides between concurrent first sign-ups. */
async function roleOfNewcomer({ settings }: Stores, tx: Db): Promise<Role> {
  const { first_account_is_owner, signup_mode } = settings.current
  if (!first_account_is_owner || signup_mode !== 'open' || !(await isFresh(tx))) return 'member'
  await lockOwnership(tx)
  return (await isFresh(tx)) ? 'owner' : 'member'
}

/** Messages from before sign-up are not unread (decisions, Signup). */
export async function readEverything(stores: Stores, tx: Db, username: Username): Promise<void> {
  await markRead(tx, username, ...(await defaultChannels({ ...stores, db: tx })))
}

async function defaultChannels(stores: Stores): Promise<ChannelId[]> {
  const open = await publicChannels(stores)
  return open.filter(({ isDefault }) => isDefault).map(({ channel }) => channel)
}

/** Tells the gateways and the first channel of a new active account, after its commit. */
export async function announce(stores: Stores, username: Username): Promise<void> {
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
    await runStatement(stores, 'sendPublic', { channel, mentioned: [], inbox: [] }, db =>
      stores.rowLockQueues.run(channel, () =>
        insertSystemMessage(db, channel, `Welcome to bothy, ${username}! Say hello.`),
      ),
    )
  } catch (err) {
    // The account exists: a failure here would tell its owner that the name is taken.
    log.error({ err, username, channel }, 'no welcome message')
  }
}
