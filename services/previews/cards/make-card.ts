import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { LinkPreviewPayload } from '#shared/domain/payloads/previews.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { type CardPicture, cardPicturePath, findCard, keepCard } from '#shared/jobs/preview-cache.ts'
import { isCardWanted } from '#shared/jobs/preview-job.ts'
import { log } from '#shared/runtime/log.ts'
import type { Keys } from '#shared/stores/keys.ts'
import type { Scripts } from '#shared/stores/scripts.ts'
import { cardPicture } from './card-picture.ts'
import { FetchError, type Guard } from './guarded-fetch.ts'
import { previewUrl } from './preview-url.ts'

/** Interface 4.4. */
const WHOLE: Milliseconds = 5_000
const CARD_LIVES: Seconds = 24 * 3600
const EMPTY_LIVES: Seconds = 600
/** Lifetime after a temporary failure: a site that was down gets its card sooner than after ten minutes. */
const FAILED_LIVES: Seconds = 60
/** Delay before the only retry, after a broken connection. Slow or refusing sites are not retried. */
const AGAIN_AFTER: Milliseconds = 300

export interface MakerStores {
  redis: Redis
  keys: Keys
  scripts: Scripts
}

interface Made {
  card: LinkPreviewPayload
  picture?: CardPicture | undefined
  lives: Seconds
  /** For the log. */
  outcome: string
}

/** Runs a job: fetches the page, makes the card, stores it. Idempotent, also across workers. */
export async function makeCard(stores: MakerStores, guard: Guard, id: string, url: string): Promise<void> {
  // Queued while no worker ran; its readers are gone.
  if (!(await isCardWanted(stores, id))) return
  // Requested between the end of the previous job and its removal.
  if (await findCard(stores, id)) return
  const began = performance.now()
  const { card, picture, lives, outcome } = await readLink(guard, id, url)
  await keepCard(stores, id, card, { picture, lives })
  // The host only: the address may be a secret of its poster.
  log.info(
    {
      host: new URL(url).host,
      outcome,
      ms: Math.round(performance.now() - began),
      picture: picture?.bytes.length,
    },
    'link read',
  )
}

/** Stores an empty card for a link whose job failed or crashed its workers, so that it is not retried at once. */
export async function giveUpCard(stores: MakerStores, id: string): Promise<void> {
  await keepCard(stores, id, {}, { lives: EMPTY_LIVES })
}

async function readLink(guard: Guard, id: string, url: string): Promise<Made> {
  let picture: CardPicture | undefined
  let isPictureMissed = false

  async function keepPicture(from: URL, signal: AbortSignal) {
    try {
      picture = await cardPicture(guard, from, id, signal)
      return picture && cardPicturePath(picture.id)
    } catch (err) {
      if (err instanceof FetchError && err.isTemporary) isPictureMissed = true
      throw err
    }
  }

  try {
    const card = await readTwice(url, { guard, keepPicture, signal: AbortSignal.timeout(WHOLE) })
    if (!('type' in card)) return { card, lives: EMPTY_LIVES, outcome: 'none' }
    // A picture found after a failed candidate makes the card complete.
    const isWhole = picture !== undefined || !isPictureMissed
    return { card, picture, lives: isWhole ? CARD_LIVES : EMPTY_LIVES, outcome: card.type }
  } catch (err) {
    if (!(err instanceof FetchError)) throw err
    return { card: {}, lives: FAILED_LIVES, outcome: err.reason }
  }
}

async function readTwice(url: string, about: Parameters<typeof previewUrl>[1]) {
  try {
    return await previewUrl(url, about)
  } catch (err) {
    if (!(err instanceof FetchError) || err.reason !== 'failed' || about.signal.aborted) throw err
    await pause(AGAIN_AFTER)
    return previewUrl(url, about)
  }
}
