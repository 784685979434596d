import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { type CardPicture, cardPicturePath, findCard, keepCard } from '#shared/jobs/preview-cache.ts'
import { isCardWanted } from '#shared/jobs/preview-job.ts'
import { log } from '#shared/kernel/log.ts'
import type { LinkPreviewPayload } from '#shared/rules/payloads.ts'
import type { Milliseconds, Seconds } from '#shared/rules/units.ts'
import type { Keys } from '#shared/stores/keys.ts'
import type { Scripts } from '#shared/stores/scripts.ts'
import { cardPicture } from './card-picture.ts'
import { type Guard, NotFetched } from './guarded-fetch.ts'
import { previewUrl } from './preview-url.ts'

/** Decisions, "Files and previews". */
const WHOLE: Milliseconds = 5_000
const CARD_LIVES: Seconds = 24 * 3600
const EMPTY_LIVES: Seconds = 600
/** Of what may go better soon: a site that was down is not shown without its card for ten minutes. */
const FAILED_LIVES: Seconds = 60
/** A connection that broke is tried once more, after a moment. Sites that are slow, or say no, are let be. */
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

/** The work of one job: fetches, reads, keeps. May be done twice, by two workers, and is the same as once. */
export async function makeCard(stores: MakerStores, guard: Guard, id: string, url: string): Promise<void> {
  // From before the worker came back: nobody waits any more.
  if (!(await isCardWanted(stores, id))) return
  // Asked for between the end of the last job and its removal.
  if (await findCard(stores, id)) return
  const began = performance.now()
  const { card, picture, lives, outcome } = await readLink(guard, id, url)
  await keepCard(stores, id, card, { picture, lives })
  // The host and not the address: that may be a secret of who posted it.
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

/** A link whose job failed, by our fault or because it took its workers down, is not tried again at once. */
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
      if (err instanceof NotFetched && err.isTemporary) isPictureMissed = true
      throw err
    }
  }

  try {
    const card = await readTwice(url, { guard, keepPicture, signal: AbortSignal.timeout(WHOLE) })
    if (!('type' in card)) return { card, lives: EMPTY_LIVES, outcome: 'none' }
    // Found among those after it, it is the better one anyway.
    const isWhole = picture !== undefined || !isPictureMissed
    return { card, picture, lives: isWhole ? CARD_LIVES : EMPTY_LIVES, outcome: card.type }
  } catch (err) {
    if (!(err instanceof NotFetched)) throw err
    return { card: {}, lives: FAILED_LIVES, outcome: err.reason }
  }
}

async function readTwice(url: string, about: Parameters<typeof previewUrl>[1]) {
  try {
    return await previewUrl(url, about)
  } catch (err) {
    if (!(err instanceof NotFetched) || err.reason !== 'failed' || about.signal.aborted) throw err
    await pause(AGAIN_AFTER)
    return previewUrl(url, about)
  }
}
