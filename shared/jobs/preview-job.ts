import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import * as v from 'valibot'
import type { Username } from '#shared/domain/units.ts'
import { CARD_WANTED, type Keys } from '#shared/stores/keys.ts'
import { queueOn } from './queue.ts'

/** A request of the api for a card, made by `previews`. The job's id is the card's id. */
export const PREVIEW_JOB = v.object({
  url: v.pipe(v.string(), v.url()),
  /** Hash of the first asker's name: only distinguishes askers. */
  asker: v.optional(v.string()),
})
export type PreviewJob = v.InferOutput<typeof PREVIEW_JOB>

export const PREVIEW_QUEUE = 'previews'

/** Equals the size of the cache: more jobs would evict cards before any reader has seen them. */
const MOST_WAITING = 200
const LONGEST_URL = 2_048 // security 3

export interface Link {
  /** Id of card and job; equal for all spellings of an address. */
  id: string
  /** The URL to fetch. */
  url: string
  /** The requested URL with its fragment: the target of a click on the card. */
  shown: string
}

/** Parses a link; undefined unless it is http or https, and for URLs with user name or password. */
export function readLink(text: unknown): Link | undefined {
  if (typeof text !== 'string' || text.length > LONGEST_URL || !URL.canParse(text.trim())) return undefined
  const url = new URL(text.trim())
  const isOfTheWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isOfTheWeb || url.username !== '' || url.password !== '' || url.href.length > LONGEST_URL)
    return undefined
  const shown = url.href
  if (!MAY_NAME_LINES.test(url.hash)) url.hash = ''
  return { id: sha256(url.href), url: url.href, shown }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A line range in a code file, part of the card's address. Other fragments concern only the browser. */
const MAY_NAME_LINES = /^#(?:L|lines-)?\d/

type JobStores = { redis: Redis; keys: Keys }

/**
 * Adds the job for a card; concurrent requests share a job. Returns false if no card will come, since no worker is
 * running or too many links wait. Throws if Redis is down.
 */
export async function askForCard(
  { redis, keys }: JobStores,
  { id, url }: Link,
  reader: Username,
): Promise<boolean> {
  const queue = queueOn<PreviewJob>({ redis, keys }, PREVIEW_QUEUE)
  const [worker, waiting] = await Promise.all([
    redis.exists(keys.cardWorker()),
    queue.getWaitingCount(),
    // Before the job: a worker drops jobs of unwanted cards.
    redis.set(keys.cardWanted(id), 1, 'EX', CARD_WANTED),
  ])
  if (worker === 0 || waiting >= MOST_WAITING) return false
  await queue.add(
    'card',
    { url, asker: sha256(`asker ${reader}`) },
    { jobId: id, removeOnComplete: true, removeOnFail: true },
  )
  return true
}

/** True while a reader waits for this card, or may soon return for it. */
export async function isCardWanted({ redis, keys }: JobStores, id: string): Promise<boolean> {
  return (await redis.exists(keys.cardWanted(id))) === 1
}
