import { publicChannels } from '#shared/access/public-channels.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { type PasswordRule, unmetPasswordRules } from '#shared/domain/password.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type UsernameRule, unmetUsernameRules } from '#shared/domain/username.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { runStatement } from '#shared/notices/write.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
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
  const open = await publicChannels(stores)
  const channels = open.filter(({ isDefault }) => isDefault).map(({ channel }) => channel)
  const isMade = await inTransaction(stores.pool, async tx => {
    if (!(await insertAccount(tx, username, passwordHash, stores.clock.now()))) return false
    // Messages from before sign-up are not unread (decisions, Signup).
    await markRead(tx, username, ...channels)
    return true
  })
  if (!isMade) return false

  log.info({ username }, 'account made')
  for (const channel of channels) {
    await publishNotice(stores, noticeOf('signUp', { channel }))
  }
  await welcome(stores, username, channels[0])
  return true
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
