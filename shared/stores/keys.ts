import type { ChannelId, Username } from '#shared/rules/units.ts'

/**
 * Every Redis key of the system, each with its expiry or cap. Redis holds only what may be lost (architecture 4).
 * All begin with the installation's prefix; script keys are made here too.
 */
export interface Keys {
  /** Stream of notices; capped by NOTICES_KEPT. */
  notices(): string
  /** Written by gateways to find out whether Redis takes writes; expires after twenty seconds. */
  writeProbe(): string
  /** Session record, `sess:` + id; expires with the session. */
  sessionPrefix(): string
  session(id: string): string
  /** Sorted set of a user's session ids by the second at which they run out; expires with the last. */
  sessionsOf(user: Username): string
  /** Sorted set, username by time of the last key press; expires TYPING_KEPT seconds after the last. */
  typing(channel: ChannelId): string
  /** Sorted set of a user's open streams by the second at which the claim runs out; expires with the last claim. */
  streamsOf(user: Username): string
  /** Hash of a user's tabs: what each said and when; expires after an hour. */
  tabsOf(user: Username): string
  /** Counters of the rate limits, then `:name:count:seconds:key`; each expires with its window. */
  ratePrefix(): string
  /** Before the queues of BullMQ (shared/jobs): jobs go when they are done; each queue says how many may wait. */
  queuePrefix(): string
  /** Why there is no thumbnail of that name: `none` is possible, or `trying`; expires after a day at most. */
  thumbnailVerdict(thumbnail: string): string
  /** Set of the images whose thumbnails a person asked for and that may still wait; expires THUMBNAILS_ASKED seconds after the last. */
  thumbnailsAskedBy(user: Username): string
  /** List of the ids of all link cards, oldest first; CARDS_KEPT at most. */
  cards(): string
  /** A link card: hash of `card` and `picture`; expires with its life, or when it is one too many. */
  card(id: string): string
  /** Picture of a link card; goes with the card. */
  cardPicture(id: string): string
  /** Somebody has asked for this card; expires after CARD_WANTED seconds. */
  cardWanted(id: string): string
  /** Some worker makes cards; expires WORKER_HEARD seconds after the last one was heard. */
  cardWorker(): string
}

export const NOTICES_KEPT = 10_000
export const TYPING_KEPT = 60
/** Interface 8. */
export const CARDS_KEPT = 200
export const CARD_WANTED = 30
export const WORKER_HEARD = 6
export const THUMBNAILS_ASKED = 3_600

export function keysWith(prefix: string): Keys {
  return {
    notices: () => `${prefix}notices`,
    writeProbe: () => `${prefix}write-probe`,
    sessionPrefix: () => `${prefix}sess:`,
    session: id => `${prefix}sess:${id}`,
    sessionsOf: user => `${prefix}sessions:${user}`,
    typing: channel => `${prefix}typing:${channel}`,
    streamsOf: user => `${prefix}streams:${user}`,
    tabsOf: user => `${prefix}tabs:${user}`,
    ratePrefix: () => `${prefix}rate`,
    queuePrefix: () => `${prefix}queues`,
    thumbnailsAskedBy: user => `${prefix}thumbnails-asked:${user}`,
    cards: () => `${prefix}cards`,
    card: id => `${prefix}card:${id}`,
    cardPicture: id => `${prefix}card-picture:${id}`,
    cardWanted: id => `${prefix}card-wanted:${id}`,
    cardWorker: () => `${prefix}card-worker`,
    thumbnailVerdict: thumbnail => `${prefix}thumbnail:${thumbnail}`,
  }
}
