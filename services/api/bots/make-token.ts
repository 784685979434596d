import type { Actor } from '#shared/audit/audit-log.ts'
import { hasRight } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { issueToken } from '../account/tokens/issue-token.ts'
import { grantOf, type TokenWish, withoutText, withText } from '../account/tokens/make-token.ts'
import { type Made, madeOnce } from '../middleware/made-once.ts'
import { lockBot } from './locked-bot.ts'

/** Makes a token of a bot. A repetition with the same `client_id` does not get its text. */
export async function makeBotToken(
  stores: Stores,
  actor: Actor,
  name: Username,
  wish: TokenWish,
): Promise<Made> {
  return madeOnce(stores.db, actor.actor, `/bots/${name}/tokens`, wish.client_id, keep =>
    inTransaction(stores.pool, async tx => {
      const { actor: maker, target, bot } = await lockBot(tx, actor, name)
      if (bot.isMadeWithHook && !hasRight(maker.role, 'make_bots', stores.settings.current))
        throw errors.coded(403, 'forbidden', 'A token of the bot of a hook needs the right to make bots.')
      if (target.state !== 'active') throw errors.coded(409, 'conflict', 'The bot is deactivated.')
      if (wish.scopes.includes('admin')) throw errors.coded(403, 'forbidden', 'A bot does not administer.')
      const grant = await grantOf({ ...stores, db: tx }, wish, maker.role, name)
      const issued = await issueToken(stores, tx, actor, name, grant)
      await keep(tx, { status: 201, body: withoutText(issued) })
      return { status: 201, body: withText(issued) }
    }),
  )
}
