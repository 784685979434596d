import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import * as v from 'valibot'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type Keys, OUTGOING_ANSWER_KEPT } from '#shared/stores/keys.ts'
import { queueOn } from './queue.ts'

export const OUTGOING_QUEUE = 'outgoing'

export const LONGEST_OUTGOING: Milliseconds = 15_000
/** Bytes of a body that is sent. */
export const MOST_SENT = 256 * 1_024
/** Bytes of a body that comes back; the rest is cut. */
export const MOST_ANSWERED = 16 * 1_024
const MOST_HEADERS = 32
const MOST_HEADER_BYTES = 8_192
/** Requests of one kind that wait for a worker; beyond, they are not sent. */
const MOST_WAITING = 500

/** Headers that frame the request belong to the connection; a cookie to nobody. */
const FRAMING =
  /^(?:host|connection|content-length|transfer-encoding|expect|upgrade|keep-alive|te|trailer|proxy-.*|cookie)$/i

const HEADERS = v.pipe(
  v.record(
    v.pipe(
      v.string(),
      v.regex(/^[\w!#$%&'*+.^`|~-]{1,64}$/),
      v.check(name => !FRAMING.test(name)),
    ),
    v.pipe(v.string(), v.regex(/^[\t\x20-\x7e]*$/)),
  ),
  v.check(
    headers =>
      Object.keys(headers).length <= MOST_HEADERS &&
      Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0) <=
        MOST_HEADER_BYTES,
  ),
)

/** A request that leaves the server for an address that a person chose. */
export const OUTGOING_REQUEST = v.object({
  url: v.pipe(v.string(), v.maxLength(2_048)),
  method: v.literal('POST'),
  headers: HEADERS,
  body: v.pipe(v.string(), v.base64(), v.maxLength(4 * Math.ceil(MOST_SENT / 3))),
  timeout_ms: v.pipe(v.number(), v.minValue(1), v.maxValue(LONGEST_OUTGOING)),
  /** `public`: public addresses alone. `hooks`: those, and what the setting `hooks_allow` names. */
  guard: v.picklist(['public', 'hooks']),
})
export type OutgoingRequest = v.InferOutput<typeof OUTGOING_REQUEST>

/** Each kind has places of its own in a worker: silent receivers of deliveries delay no command, tests of hooks neither. */
const KINDS = ['command', 'delivery', 'test'] as const
export type OutgoingKind = (typeof KINDS)[number]

/** The job has neither address, headers nor body: these are in a key that expires. */
export const OUTGOING_JOB = v.object({ host: v.string(), kind: v.picklist(KINDS) })
export type OutgoingJob = v.InferOutput<typeof OUTGOING_JOB>

/**
 * Why a request has no answer. `unsent`: nothing left the server, since no worker had time for it. `lost`: Redis was away
 * or emptied, and the outcome is unknown. Both are not the receiver's fault. `no_answer`: a worker sent it.
 */
export const OUTGOING_ERRORS = [
  'refused_address',
  'no_such_host',
  'no_connection',
  'tls',
  'no_answer',
  'bad_answer',
  'unsent',
  'lost',
] as const
export type OutgoingError = (typeof OUTGOING_ERRORS)[number]

export interface OutgoingReply {
  status: number
  headers: { 'retry-after'?: string; 'content-type'?: string }
  /** As UTF-8. */
  body: string
  /** The body was longer than MOST_ANSWERED, or broke off. */
  cut: boolean
  ms: number
}

export type OutgoingAnswer = OutgoingReply | { error: OutgoingError }

/** Time in which a worker's last answer reaches the caller, and in which a caller withdraws what was not taken. */
export const OUTGOING_GRACE: Milliseconds = 1_000
const ANSWER_COMES: Milliseconds = 300

type JobStores = { redis: Redis; keys: Keys }

/**
 * Sends a request through a worker of `previews` and waits for its answer, `timeout_ms` and a little more. Sends it once or
 * not at all: a repetition is up to the caller. Returns errors, also those of Redis; throws for a request out of bounds.
 */
export async function sendOutgoing(
  stores: JobStores,
  kind: OutgoingKind,
  wanted: OutgoingRequest,
): Promise<OutgoingAnswer> {
  const request = v.parse(OUTGOING_REQUEST, wanted)
  if (!URL.canParse(request.url)) return { error: 'refused_address' }
  const deadline = performance.now() + request.timeout_ms + ANSWER_COMES
  const id = randomUUID()
  try {
    if (!(await enqueue(stores, id, kind, request))) return { error: 'unsent' }
  } catch {
    return withdraw(stores, id)
  }
  return answerTo(stores, id, deadline)
}

/** False without a worker, while too many requests wait for one, and without Redis. */
export function takesOutgoing(stores: JobStores): Promise<boolean> {
  return hasRoom(stores).catch(() => false)
}

async function hasRoom({ redis, keys }: JobStores): Promise<boolean> {
  const queue = queueOn<OutgoingJob>({ redis, keys }, OUTGOING_QUEUE)
  const [worker, waiting] = await Promise.all([redis.exists(keys.outgoingWorker()), queue.getWaitingCount()])
  return worker === 1 && waiting < MOST_WAITING
}

async function enqueue({ redis, keys }: JobStores, id: string, kind: OutgoingKind, request: OutgoingRequest) {
  if (!(await takesOutgoing({ redis, keys }))) return false
  const queue = queueOn<OutgoingJob>({ redis, keys }, OUTGOING_QUEUE)
  await redis.set(keys.outgoing(id), JSON.stringify(request), 'PX', request.timeout_ms + OUTGOING_GRACE)
  const { host } = new URL(request.url)
  await queue.add('send', { host, kind }, { jobId: id, removeOnComplete: true, removeOnFail: true })
  return true
}

async function answerTo(stores: JobStores, id: string, deadline: number): Promise<OutgoingAnswer> {
  const { redis, keys } = stores
  let isTaken = false
  for (let wait = 15; ; wait = Math.min(wait * 1.2, 200)) {
    // Without Redis for a moment the answer may still come.
    const text = await redis.getdel(keys.outgoingAnswer(id)).catch(() => undefined)
    if (text === TAKEN) isTaken = true
    else if (text) return JSON.parse(text) as OutgoingAnswer
    const left = deadline - performance.now()
    if (left > 0) await pause(Math.min(wait, left))
    else if (text === undefined) return { error: 'lost' }
    else return isTaken ? { error: 'no_answer' } : withdraw(stores, id)
  }
}

/** Takes a request back: what was still there was not sent. */
async function withdraw({ redis, keys }: JobStores, id: string): Promise<OutgoingAnswer> {
  try {
    if ((await redis.del(keys.outgoing(id))) === 1) return { error: 'unsent' }
    const text = await redis.getdel(keys.outgoingAnswer(id))
    if (text === null) return { error: 'lost' }
    return text === TAKEN ? { error: 'no_answer' } : (JSON.parse(text) as OutgoingAnswer)
  } catch {
    return { error: 'lost' }
  }
}

/** Stands where the answer will, from a worker that has the request: lost ones have no such sign. */
const TAKEN = 'taken'

/**
 * A worker takes a request, which it then sends: nobody else can take it, also after the death of this worker. Undefined
 * if its caller has given up.
 */
export async function takeOutgoing(
  { redis, keys }: JobStores,
  id: string,
): Promise<{ request: OutgoingRequest; left: Milliseconds } | undefined> {
  const key = keys.outgoing(id)
  const [ttl, value] = (await redis.multi().pttl(key).getdel(key).exec()) ?? []
  const text = value?.[1]
  const left = Number(ttl?.[1]) - OUTGOING_GRACE
  if (typeof text !== 'string' || left <= 0) return undefined
  await redis.set(keys.outgoingAnswer(id), TAKEN, 'EX', OUTGOING_ANSWER_KEPT)
  return { request: v.parse(OUTGOING_REQUEST, JSON.parse(text)), left }
}

/** A worker's answer, for a caller that waits. */
export async function answerOutgoing({ redis, keys }: JobStores, id: string, answer: OutgoingAnswer) {
  await redis.set(keys.outgoingAnswer(id), JSON.stringify(answer), 'EX', OUTGOING_ANSWER_KEPT)
}
