import { randomBytes } from 'node:crypto'
import { lockAccount } from '#shared/access/account-locks.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isUsername, SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { replaceTokens } from '../queries.ts'
import { tokenHash } from './reset-password.ts'

const VALID: Seconds = 24 * 3600

/** Tells the owner, in case somebody else requested the link. */
const ISSUED =
  'Whoever runs this server has made a link that sets a new password for your account. It works once, within 24 hours. If you did not ask for it, tell them.'

export interface ResetToken {
  token: string
  expires: Seconds
}

/**
 * Makes the only valid reset link of an account, for the operator's tool (infra/tools) and for administrators;
 * undefined for an unknown name. The token is returned once and stored as a hash only. A line in
 * `dm:<username>:system`, where nobody can reply, informs the owner. `act`: what else belongs to the transaction; it
 * locks accounts before this does.
 */
export async function issueResetToken(
  stores: Stores,
  name: string,
  act: (tx: Db) => Promise<void> = async () => undefined,
): Promise<({ username: Username } & ResetToken) | undefined> {
  if (!isUsername(name)) return undefined
  const issued = await runTransaction<({ username: Username } & ResetToken) | typeof unchanged>(
    stores,
    'send',
    ({ username }) => ({
      channel: dmId([username, SYSTEM_SENDER]),
      users: [username],
      besides: [{ collections: ['sidebar'], users: [username] }],
    }),
    async tx => {
      await act(tx)
      const account = await lockAccount(tx, name)
      if (account === undefined) return unchanged
      const { username } = account
      const token = await newResetToken(stores, tx, username)
      await insertSystemMessage(tx, dmId([username, SYSTEM_SENDER]), ISSUED, { opensFor: [username] })
      return { username, ...token }
    },
  )
  return issued === unchanged ? undefined : issued
}

/** Replaces the reset tokens of an account that this transaction has locked or made. */
export async function newResetToken({ clock }: Stores, tx: Db, username: Username): Promise<ResetToken> {
  const token = randomBytes(32).toString('base64url')
  const issued = clock.now()
  const expires = issued + VALID
  await replaceTokens(tx, username, tokenHash(token), { issued, expires })
  return { token, expires }
}
