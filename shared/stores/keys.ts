import type { ChannelId, Username } from '#shared/domain/units.ts'

/**
 * All Redis keys, each with its expiry or cap. Redis holds only data that may be lost (architecture 4). All keys begin
 * with the installation's prefix, including those of scripts.
 */
export interface Keys {
  /** Stream of notices; capped by NOTICES_KEPT. */
  notices(): string
  /** Written by gateways to test whether Redis accepts writes; expires after twenty seconds. */
  writeProbe(): string
  /** Session record, `sess:` + id; expires with the session. */
  sessionPrefix(): string
  session(id: string): string
  /** Sorted set of a user's session ids by expiry in seconds; expires with the last. */
  sessionsOf(user: Username): string
  /** The row of a token by its hash, or a mark that it changed; expires after fifteen seconds at most. */
  token(hash: string): string
  /** Sorted set, hash of what failed by the message in which a hook told so; 1,000 at most, expires 7 days after the last. */
  hookIncidents(hook: number): string
  /** List of the calls of a hook, newest first; 20 at most, expires 7 days after the last. */
  hookCalls(hook: number): string
  /** Sorted set, username by time of the last key press; expires TYPING_KEPT seconds after the last. */
  typing(channel: ChannelId): string
  /** Sorted set of a user's open streams by expiry of the claim in seconds; expires with the last claim. */
  streamsOf(user: Username): string
  /** Hash of a user's tabs: last report and its time; expires after an hour. */
  tabsOf(user: Username): string
  /** Counters of the rate limits, then `:name:count:seconds:key`; each expires with its window. */
  ratePrefix(): string
  /** Prefix of BullMQ queues (shared/jobs): finished jobs are removed; each queue bounds its waiting jobs. */
  queuePrefix(): string
  /** Reason for a missing thumbnail: `none` (impossible) or `trying`; expires after a day at most. */
  thumbnailVerdict(thumbnail: string): string
  /** Set of a user's images with waiting thumbnail jobs; expires THUMBNAILS_ASKED seconds after the last. */
  thumbnailsAskedBy(user: Username): string
  /** List of all link card ids, oldest first; CARDS_KEPT at most. */
  cards(): string
  /** A link card: hash of `card` and `picture`; expires with its lifetime, or by eviction. */
  card(id: string): string
  /** Picture of a link card; removed with the card. */
  cardPicture(id: string): string
  /** Marks a card as requested; expires after CARD_WANTED seconds. */
  cardWanted(id: string): string
  /** Heartbeat of card workers; expires after WORKER_HEARD seconds. */
  cardWorker(): string
  /** A request that waits to leave the server (shared/jobs/outgoing-job.ts); expires with the patience of its caller. */
  outgoing(id: string): string
  /** Answer to such a request; its caller removes it, else it expires after OUTGOING_ANSWER_KEPT seconds. */
  outgoingAnswer(id: string): string
  /** List with an entry a use of the address for late answers of a command; expires after half an hour. */
  commandAnswers(hash: string): string
  /** Heartbeat of the workers that send; expires after WORKER_HEARD seconds. */
  outgoingWorker(): string
}

export const NOTICES_KEPT = 10_000
export const TYPING_KEPT = 60
/** Interface 8. */
export const CARDS_KEPT = 200
export const CARD_WANTED = 30
export const WORKER_HEARD = 6
export const OUTGOING_ANSWER_KEPT = 20
export const THUMBNAILS_ASKED = 3_600

export function keysWith(prefix: string): Keys {
  return {
    notices: () => `${prefix}notices`,
    writeProbe: () => `${prefix}write-probe`,
    sessionPrefix: () => `${prefix}sess:`,
    session: id => `${prefix}sess:${id}`,
    sessionsOf: user => `${prefix}sessions:${user}`,
    token: hash => `${prefix}token:${hash}`,
    hookIncidents: hook => `${prefix}hook-incidents:${hook}`,
    hookCalls: hook => `${prefix}hook-calls:${hook}`,
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
    outgoing: id => `${prefix}outgoing:${id}`,
    outgoingAnswer: id => `${prefix}outgoing-answer:${id}`,
    commandAnswers: hash => `${prefix}command-answers:${hash}`,
    outgoingWorker: () => `${prefix}outgoing-worker`,
    thumbnailVerdict: thumbnail => `${prefix}thumbnail:${thumbnail}`,
  }
}
