import type { TokenPayload } from '#shared/domain/payloads/tokens.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { tokensOf } from './queries.ts'

/** The tokens of an account: live ones first, and those that ended lately. */
export const listTokens = ({ db, clock }: Stores, username: Username): Promise<TokenPayload[]> =>
  tokensOf(db, username, clock.now())
