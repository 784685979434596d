import { randomBytes } from 'node:crypto'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isUsername, SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { holdAccount, replaceTokens } from './queries.ts'
import { tokenHash } from './reset-password.ts'

const VALID: Seconds = 24 * 3600

/** Tells the owner, in case somebody else requested the link. */
const ISSUED =
  'Whoever runs this server has made a link that sets a new password for your account. It works once, within 24 hours. If you did not ask for it, tell them.'

/**
 * Makes the only valid reset link of an account, for the operator's tool (infra/tools); undefined for an unknown name.
 * The token is returned once and stored as a hash only. A line in `dm:<username>:system`, where nobody can reply,
 * informs the owner.
 */
export async function issueResetToken(
  stores: Stores,
  name: string,
): Promise<{ username: Username; token: string } | undefined> {
  if (!isUsername(name)) return undefined
  const token = randomBytes(32).toString('base64url')
  const username = await runTransaction<Username | typeof unchanged>(
    stores,
    'sendDm',
    owner => ({ channel: dmId([owner, SYSTEM_SENDER]), users: [owner], mentioned: [] }),
    async tx => {
      const owner = await holdAccount(tx, name)
      if (owner === undefined) return unchanged
      const now = stores.clock.now()
      await replaceTokens(tx, owner, tokenHash(token), { issued: now, expires: now + VALID })
      await insertSystemMessage(tx, dmId([owner, SYSTEM_SENDER]), ISSUED, { opensFor: [owner] })
      return owner
    },
  )
  return username === unchanged ? undefined : { username, token }
}
