import { lockAccount } from '#shared/access/account-locks.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { MadeBotPayload } from '#shared/domain/payloads/people.ts'
import { hasRight } from '#shared/domain/roles.ts'
import { USUAL_TOKEN_DAYS } from '#shared/domain/tokens.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { USERNAME_RULES, unmetUsernameRules } from '#shared/domain/username.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertAccount } from '../account/sign-up/new-account.ts'
import { issueToken } from '../account/tokens/issue-token.ts'
import { madeOnce } from '../middleware/made-once.ts'
import { checkPublic } from '../people/change-person.ts'
import { enterChannels } from '../people/enter-channels.ts'
import { checkCount } from './locked-bot.ts'

export interface BotDraft {
  username: string
  displayName: string | null
  description: string | null
  channels: ChannelId[]
  isGuest: boolean
  clientId: string | undefined
}

const PATH = '/bots'
const DAY: Seconds = 24 * 3_600
/** Not the form of a hash: no password is right (services/api/account/password/password-hash.ts). */
const NO_PASSWORD = 'none'

/** Makes an account without password, and its first token. */
export async function createBot(stores: Stores, actor: Actor, draft: BotDraft): Promise<MadeBotPayload> {
  const [unmet] = unmetUsernameRules(draft.username)
  if (unmet) throw errors.invalid(USERNAME_RULES[unmet])
  if (draft.isGuest && draft.channels.length === 0) throw errors.missing('channels')
  const made: MadeBotPayload = { username: draft.username, token: null }
  let token: string | null = null
  const { body } = await madeOnce(stores.db, actor.actor, PATH, draft.clientId, async keep => {
    const answer = { status: 201, body: made }
    token = await runTransaction(stores, 'signUp', {}, async tx => {
      const issued = await makeBot(stores, tx, actor, draft)
      await keep(tx, answer)
      return issued
    })
    return answer
  })
  if (token !== null) log.info({ username: draft.username }, 'bot made')
  return { ...(body as MadeBotPayload), token }
}

async function makeBot(
  stores: Stores,
  tx: Db,
  actor: Actor,
  { username, displayName, description, channels, isGuest }: BotDraft,
): Promise<string> {
  // The owner stays one who may, and bots of others pass to nobody meanwhile.
  await lockOwnership(tx)
  checkMayMake(stores, await lockAccount(tx, actor.actor))
  await checkCount(tx, actor.actor)
  await checkPublic({ ...stores, db: tx }, channels)
  const now = stores.clock.now()
  const role = isGuest ? 'guest' : 'member'
  const bot = { owner: actor.actor, description }
  const account = {
    username,
    displayName: displayName ?? '',
    passwordHash: NO_PASSWORD,
    now,
    role,
    bot,
  } as const
  if (!(await insertAccount(tx, account))) throw errors.coded(409, 'conflict', USERNAME_RULES.taken)
  await enterChannels(stores, tx, { username, role, channels }, now)
  await insertAuditEntry(tx, {
    ...actor,
    action: 'bot.created',
    target: username,
    detail: { role, channels },
  })
  const { text } = await issueToken(stores, tx, actor, username, {
    name: username,
    scopes: ['write'],
    channels: null,
    expires: now + USUAL_TOKEN_DAYS * DAY,
  })
  return text
}

function checkMayMake({ settings }: Stores, person: Awaited<ReturnType<typeof lockAccount>>) {
  if (person?.state !== 'active') throw errors.signedOut()
  if (person.kind === 'bot' || !hasRight(person.role, 'make_bots', settings.current))
    throw errors.coded(403, 'forbidden', 'You may not make bots here.')
}
