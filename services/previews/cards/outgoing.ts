import { type Job, WaitingError, Worker } from 'bullmq'
import * as v from 'valibot'
import type { Milliseconds } from '#shared/domain/units.ts'
import { closeWorker } from '#shared/jobs/close-worker.ts'
import {
  answerOutgoing,
  LONGEST_OUTGOING,
  MOST_ANSWERED,
  OUTGOING_JOB,
  OUTGOING_QUEUE,
  type OutgoingAnswer,
  type OutgoingError,
  type OutgoingJob,
  type OutgoingKind,
  type OutgoingRequest,
  takeOutgoing,
} from '#shared/jobs/outgoing-job.ts'
import { KeyedLimiter, NoPlace, type Place } from '#shared/runtime/keyed-limiter.ts'
import type { Part } from '#shared/runtime/lifecycle.ts'
import { log } from '#shared/runtime/log.ts'
import type { SettingsFile } from '#shared/runtime/settings.ts'
import { type Keys, WORKER_HEARD } from '#shared/stores/keys.ts'
import { connectRedis, openWorkerRedis } from '#shared/stores/redis.ts'
import { type Answered, FetchError, type Guard, openGuard } from './guarded-fetch.ts'
import { warnOfEntries } from './warn-of-entries.ts'

/** A silent receiver holds a place for up to 15 s: each kind has its own, and a host some of them. */
const IN_ALL: Record<OutgoingKind, number> = { command: 16, delivery: 24, test: 8 }
const OF_ONE_HOST = 8
/**
 * Jobs taken from the queue; those without a place cost almost nothing, and must not hold up the others. More than the
 * deliveries that janitors send at once (MOST_IN_ALL, services/janitor/notify/deliveries.ts).
 */
const AT_ONCE = 200
const LOCKED_FOR: Milliseconds = 6_000
const LOOK_FOR_LOST: Milliseconds = 3_000
const BEAT: Milliseconds = 2_000

/** The worker's part that sends what hooks and commands send (shared/jobs/outgoing-job.ts). */
export function outgoing(redisUrl: string, keys: Keys, settings: SettingsFile): Part {
  const redis = openWorkerRedis(redisUrl)
  const stores = { redis, keys }
  const guards: Record<OutgoingRequest['guard'], Guard> = {
    // `preview_allow` opens addresses to readers, not to bodies that people wrote.
    public: openGuard({ allow: () => [] }),
    hooks: openGuard({ allow: () => settings.current.hooks_allow }),
  }
  const places = new KeyedLimiter({ longestWait: LONGEST_OUTGOING })
  let worker: Worker<OutgoingJob> | undefined
  let beating: NodeJS.Timeout | undefined

  /** Without this key nobody adds jobs. */
  const beat = () => redis.set(keys.outgoingWorker(), 1, 'EX', WORKER_HEARD)

  async function send(job: Job<OutgoingJob>, token?: string) {
    const { host, kind } = v.parse(OUTGOING_JOB, job.data)
    try {
      await places.run(placesOf(host, kind), () => sendTaken(job.id!, host))
    } catch (err) {
      if (!(err instanceof NoPlace)) throw err
      if (err.why === 'late') return log.info({ host }, 'not sent: no place for its host')
      await job.moveToWait(token)
      throw new WaitingError()
    }
  }

  async function sendTaken(id: string, host: string) {
    const taken = await takeOutgoing(stores, id)
    // Given up by its caller; or sent by a worker that ended, and once is enough.
    if (!taken) return
    const answer = await outcomeOf(guards[taken.request.guard], taken.request, taken.left)
    await answerOutgoing(stores, id, answer)
    // Neither address nor answer: both may be secret.
    const outcome = 'error' in answer ? { error: answer.error } : { status: answer.status, ms: answer.ms }
    log.info({ host, ...outcome }, 'request sent')
  }

  return {
    name: 'outgoing',
    async start() {
      await connectRedis(redis)
      warnOfEntries('hooks_allow', settings)
      worker = new Worker(OUTGOING_QUEUE, send, {
        connection: redis,
        prefix: keys.queuePrefix(),
        concurrency: AT_ONCE,
        lockDuration: LOCKED_FOR,
        stalledInterval: LOOK_FOR_LOST,
        // A lost job that was not taken yet goes to another worker; a taken one finds nothing to send.
        maxStalledCount: 1,
      })
      worker.on('failed', (_job, err) => log.error({ err }, 'request not sent'))
      // The connection logs its own errors.
      worker.on('error', () => {})
      await worker.waitUntilReady()
      // A Redis user of an older version may lack these keys: cards are made all the same.
      await beat().catch(err => log.error({ err }, 'hooks and commands are not sent: see the Redis users'))
      beating = setInterval(() => {
        if (redis.status === 'ready') beat().catch(() => {})
      }, BEAT)
    },
    /** Finishes running requests as far as time allows; the next process sends the others. */
    async stop() {
      clearInterval(beating)
      places.close()
      await closeWorker(worker, redis)
      await Promise.all(Object.values(guards).map(guard => guard.close()))
      redis.disconnect()
    },
  }
}

const placesOf = (host: string, kind: OutgoingKind): Place[] => [
  { key: kind, most: IN_ALL[kind] },
  { key: `${kind} ${host}`, most: OF_ONE_HOST },
]

async function outcomeOf(
  guard: Guard,
  request: OutgoingRequest,
  left: Milliseconds,
): Promise<OutgoingAnswer> {
  const began = performance.now()
  try {
    const { url, method, headers } = request
    const body = Buffer.from(request.body, 'base64')
    const within = Math.min(left, request.timeout_ms)
    const answered = await guard.send(url, { method, headers, body, within, maxBytes: MOST_ANSWERED })
    return replyOf(answered, Math.round(performance.now() - began))
  } catch (err) {
    if (!(err instanceof FetchError)) throw err
    return { error: errorOf(err) }
  }
}

function replyOf({ status, headers, body, cut }: Answered, ms: Milliseconds): OutgoingAnswer {
  const one = (name: string) => {
    const value = headers[name]
    return (Array.isArray(value) ? value.at(-1) : value)?.slice(0, 200)
  }
  const [retryAfter, type] = [one('retry-after'), one('content-type')]
  return {
    status,
    headers: {
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
      ...(type !== undefined && { 'content-type': type }),
    },
    body: body.toString(),
    cut,
    ms,
  }
}

const NO_SUCH_HOST = /^(?:ENOTFOUND|ENODATA|EBADNAME|ENONAME|EAI_|ESERVFAIL|EREFUSED|ETIMEOUT$)/
const NO_CONNECTION = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|EHOSTDOWN)$/
const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_)/

/** The reason in one word, without what would tell more of the network than the caller needs. */
function errorOf(err: FetchError): OutgoingError {
  if (err.reason === 'refused') return 'refused_address'
  const code = codeOf(err.cause)
  if (NO_SUCH_HOST.test(code)) return 'no_such_host'
  if (err.reason === 'timeout') return 'no_answer'
  if (NO_CONNECTION.test(code)) return 'no_connection'
  if (TLS.test(code)) return 'tls'
  return 'bad_answer'
}

/** The last error counts where several addresses were dialled. */
function codeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return codeOf(cause.errors.at(-1))
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}
