import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Username } from '#shared/rules/units.ts'
import { CARD_WANTED, type Keys } from '#shared/stores/keys.ts'
import { queueOn } from './queue.ts'

/** A card to be made, asked for by the api and made by `previews`. The id of the job is the id of the card. */
export interface PreviewJob {
  url: string
  /** Who asked first: tells one asker from another, and names nobody. */
  asker?: string
}

export const PREVIEW_QUEUE = 'previews'

/** As many as are kept: what waits behind them would push out what is made before anybody has seen it. */
const MOST_WAITING = 200
const LONGEST_URL = 2_048 // security 3

export interface Link {
  /** Names card and job: two spellings of one address have the same. */
  id: string
  /** What is fetched. */
  url: string
  /** What was asked, with its fragment: where a click on the card leads. */
  shown: string
}

/** The link that a text is; undefined for what is none of the web, and for one that carries a name or password. */
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

/** Of a file of code, whose card is about these lines. Any other fragment is for the browser alone. */
const MAY_NAME_LINES = /^#(?:L|lines-)?\d/

type JobStores = { redis: Redis; keys: Keys }

/**
 * Asks for the card of a link. However many ask at once, it is one job. False: nothing will come of it, because no worker
 * is there or too many links wait. Throws what Redis throws when it is away.
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
    // Before the job: a worker drops what nobody wants any more.
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

/** Does anybody still wait for this card, or come back for it soon? */
export async function isCardWanted({ redis, keys }: JobStores, id: string): Promise<boolean> {
  return (await redis.exists(keys.cardWanted(id))) === 1
}
