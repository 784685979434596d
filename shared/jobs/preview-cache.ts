import type { Redis } from 'ioredis'
import type { LinkPreviewPayload } from '#shared/domain/payloads/previews.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { CARDS_KEPT, type Keys } from '#shared/stores/keys.ts'
import type { Scripts } from '#shared/stores/scripts.ts'

type CacheStores = { redis: Redis; keys: Keys }

/** The picture of a card: small WebP (services/previews/cards/card-picture.ts). */
export interface CardPicture {
  id: string
  bytes: Buffer
}

/** The card of a link (preview-job.ts), `{}` if it is known to have none, undefined if unknown. */
export async function findCard(
  { redis, keys }: CacheStores,
  id: string,
): Promise<LinkPreviewPayload | undefined> {
  const card = await redis.hget(keys.card(id), 'card')
  return card === null ? undefined : (JSON.parse(card) as LinkPreviewPayload)
}

/** Stores a card among the last two hundred (interface 8), replacing an older one of the same link. */
export async function keepCard(
  { keys, scripts }: { keys: Keys; scripts: Scripts },
  id: string,
  card: LinkPreviewPayload,
  { picture, lives }: { picture?: CardPicture | undefined; lives: Seconds },
): Promise<void> {
  await scripts.keepCard(
    [keys.cards(), keys.card(id), keys.cardPicture(picture?.id ?? '')],
    id,
    JSON.stringify(card),
    picture ?? { id: '', bytes: '' },
    lives,
    CARDS_KEPT,
    [keys.card(''), keys.cardPicture('')],
  )
}

const PICTURE_ID = /^[0-9a-f]{32}$/

/** The path of a card's picture. The id is a hash of card and bytes, so the content never changes. */
export const cardPicturePath = (id: string) => `/card_picture/${id}`

export async function findCardPicture({ redis, keys }: CacheStores, id: string): Promise<Buffer | undefined> {
  if (!PICTURE_ID.test(id)) return undefined
  return (await redis.getBuffer(keys.cardPicture(id))) ?? undefined
}
