import { MOST_TRIES } from '#shared/domain/outgoing-hooks.ts'
import type { Seconds } from '#shared/domain/units.ts'
import {
  MOST_SENT,
  type OutgoingAnswer,
  type OutgoingReply,
  sendOutgoing,
} from '#shared/jobs/outgoing-job.ts'
import { requestOf } from '#shared/jobs/webhook-request.ts'
import { log } from '#shared/runtime/log.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Secrets } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { noteFailure, noteSuccess, type Outcome, writeOutcome, writeUntold } from './deliveries.ts'
import { endHook } from './end-hook.ts'
import { type Claim, replaceSealed, type SendingHook } from './hooks.ts'
import { whyUntold } from './may-tell.ts'
import { failedDeliveries } from './measure-deliveries.ts'
import { postAnswer } from './post-answer.ts'
import { pauseAfter, TIMEOUT, UNSENT_PAUSE } from './tries.ts'

/** A hook whose receiver fails as long as this is disabled by the next delivery that fails for good. */
const LONGEST_FAILING: Seconds = 3 * 24 * 3_600

export interface Sending {
  secrets: Secrets
  /** `team_domain` of the format `slack`. */
  host: string
}

/**
 * Sends a delivery once, if the hook may still tell of it. A crash before the outcome is written repeats it with the same
 * id. `hook`: undefined for one that is disabled or deleted.
 */
export async function sendDelivery(
  stores: Stores,
  { secrets, host }: Sending,
  hook: SendingHook | undefined,
  claim: Claim,
): Promise<void> {
  if (!hook) {
    const now = stores.clock.now()
    await writeOutcome(stores.db, claim, now, disabled(claim, now))
    return
  }
  const why = claim.untold ?? (await whyUntold(stores, hook, claim.event))
  if (why) return writeUntold(stores.db, claim, stores.clock.now(), why)
  const keys = secretsOf(secrets, hook, stores.clock.now())
  if (keys) await renewSecrets(stores.db, hook, secrets)
  const started = performance.now()
  const answer: OutgoingAnswer | { error: 'no_secret' | 'too_large' } = keys
    ? await request(stores, hook, keys, claim, host)
    : { error: 'no_secret' }
  const ms = Math.round(performance.now() - started)
  const now = stores.clock.now()
  if ('error' in answer && (answer.error === 'unsent' || answer.error === 'lost')) {
    await writeOutcome(stores.db, claim, now, untried(claim, now, answer.error))
    return
  }
  const outcome = outcomeOf(answer, claim.attempt + 1, ms, now)
  // Before the outcome: a crash between the two repeats both.
  if (isReply(answer) && outcome.state === 'sent' && takesAnswer(hook, claim))
    await postAnswer(stores, hook, claim, answer)
  if (!(await writeOutcome(stores.db, claim, now, outcome))) return
  if (outcome.state === 'failed') failedDeliveries.inc()
  // Not the fault of the receiver.
  if (outcome.error === 'too_large') return
  if (outcome.state === 'sent') return noteSuccess(stores.db, hook.id)
  const since = await noteFailure(stores.db, hook.id, now)
  log.info({ hook: hook.id, status: outcome.status, reason: outcome.error }, 'delivery failed')
  if (outcome.state === 'gone') await endHook(stores, hook.id, 'gone')
  else if (outcome.state === 'failed' && now - since > LONGEST_FAILING)
    await endHook(stores, hook.id, 'failing')
}

/** A delivery that was sent before had its answer posted then. */
const takesAnswer = ({ format }: SendingHook, { event, last_status }: Claim) =>
  format === 'standard' && event.type === 'message.created' && !isSuccess(last_status)

interface HookSecrets {
  secrets: string[]
  verifyToken: string
}

/** Undefined without the key of the server that sealed them. */
function secretsOf(secrets: Secrets, hook: SendingHook, now: Seconds): HookSecrets | undefined {
  const current = secrets.open(hook.secret_enc, purposeOf(hook, 'secret'))
  const verifyToken = secrets.open(hook.verify_token_enc, purposeOf(hook, 'verify_token'))
  if (current === null || verifyToken === null) return undefined
  const isOldValid = hook.old_secret_enc !== null && (hook.old_until ?? 0) > now
  const old = isOldValid ? secrets.open(hook.old_secret_enc!, purposeOf(hook, 'old_secret')) : null
  return { secrets: old === null ? [current] : [current, old], verifyToken }
}

/** Binds a sealed value to its row and column, as services/api/hooks-out does. */
const purposeOf = ({ id }: SendingHook, column: (typeof SEALED)[number]) => `hooks_out:${id}:${column}`

const SEALED = ['secret', 'old_secret', 'verify_token'] as const

/** Under the present key of the server, once another one is the former. */
async function renewSecrets(db: Db, hook: SendingHook, secrets: Secrets) {
  for (const name of SEALED) {
    const from = hook[`${name}_enc`]
    const to = from && secrets.renewed(from, purposeOf(hook, name))
    if (from && to) await replaceSealed(db, hook.id, `${name}_enc`, { from, to })
  }
}

async function request(
  stores: Stores,
  hook: SendingHook,
  keys: HookSecrets,
  { id, event }: Claim,
  host: string,
): Promise<OutgoingAnswer | { error: 'too_large' }> {
  const signing = { format: hook.format, ...keys }
  const made = requestOf(signing, id, event, stores.clock.now(), host)
  if (Buffer.byteLength(made.body) > MOST_SENT) return { error: 'too_large' }
  return sendOutgoing(stores, 'delivery', {
    url: hook.url,
    method: 'POST',
    headers: made.headers,
    body: Buffer.from(made.body).toString('base64'),
    timeout_ms: TIMEOUT,
    guard: 'hooks',
  })
}

const untried = ({ attempt }: Claim, now: Seconds, error: string): Outcome => ({
  state: 'waiting',
  attempt,
  nextTry: now + UNSENT_PAUSE,
  status: null,
  error,
  ms: null,
})

const disabled = ({ attempt }: Claim, now: Seconds): Outcome => ({
  state: 'gone',
  attempt,
  nextTry: now,
  status: null,
  error: 'disabled',
  ms: null,
})

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300

const isReply = (answer: OutgoingAnswer | { error: string }): answer is OutgoingReply => 'status' in answer

export function outcomeOf(
  answer: OutgoingAnswer | { error: string },
  tries: number,
  ms: number,
  now: Seconds,
): Outcome {
  const status = isReply(answer) ? answer.status : null
  const common = { attempt: Math.min(tries, MOST_TRIES), status, ms, nextTry: now }
  if (isSuccess(status)) return { ...common, state: 'sent', error: null }
  if (status === 410) return { ...common, state: 'gone', error: 'gone' }
  const error = isReply(answer) ? 'status' : answer.error
  // A form of a long message, where `max_message_chars` is high: another try is no shorter.
  if (error === 'too_large') return { ...common, state: 'failed', error }
  const wish = isReply(answer) ? answer.headers['retry-after'] : undefined
  const pause = pauseAfter(tries, wish, now)
  if (pause === undefined) return { ...common, state: 'failed', error }
  return { ...common, state: 'waiting', error, nextTry: now + pause }
}
