import * as v from 'valibot'
import { EVENT_NAMES, type EventName } from '#shared/domain/payloads/events.ts'
import { log } from '#shared/runtime/log.ts'

/** Collections that may have changed, and for whom: the readers of the channel, without one everybody, or as named. */
export interface Concern {
  collections: readonly EventName[]
  /** Channel collections, and global collections with an entry per channel, change only there. */
  channel?: string | undefined
  /** These people instead. */
  users?: readonly string[] | undefined
  /** Everybody instead: more people than a notice may name. */
  everybody?: true | undefined
  /** The followers of the thread of this reply instead, whom gateways look up. */
  followersOf?: number | undefined
  /** The readers of the channel changed; without a channel, those of any channel may have. */
  membership?: true | undefined
}

/**
 * A hint that these collections may have changed. It carries no data: a lost, duplicate or reordered notice can delay a
 * frame but never corrupt one (architecture 2.3). It names channels and a few people, never the members of a channel: a
 * gateway looks up which of its viewers are members.
 */
export interface Notice {
  concerns: readonly Concern[]
  /** Sessions that this write ended; their streams end too. */
  endedSessions?: readonly string[] | undefined
  /** Their person. In a text it replaces `endedSessions` when they are many: gateways look up the person's sessions. */
  endedSessionsOf?: string | undefined
}

/** Names per list at most. */
export const MOST_NAMES = 12
/**
 * Length of a notice at most: four lists of twelve names or session ids of 32 characters, all collections twice, and the
 * longest channel id, that of a DM of fifty people. Nearly all notices are below a kilobyte.
 */
export const MOST_BYTES = 4_096

/** The collections of all concerns. */
export const collectionsIn = ({ concerns }: Pick<Notice, 'concerns'>): EventName[] => [
  ...new Set(concerns.flatMap(({ collections }) => collections)),
]

const areMany = (names: readonly string[] | undefined) => names !== undefined && names.length > MOST_NAMES

/** Names each channel once, since ids of DMs are long, and replaces long lists by a wider scope. */
export function toText({ concerns, endedSessions, endedSessionsOf }: Notice): string {
  const channels = [...new Set(concerns.flatMap(({ channel }) => channel ?? []))]
  return JSON.stringify({
    ...(channels.length > 0 && { channels }),
    concerns: concerns.map(({ channel, users, ...rest }) => ({
      ...rest,
      ...(channel !== undefined && { in: channels.indexOf(channel) }),
      ...(areMany(users) ? { everybody: true } : { users }),
    })),
    ...(areMany(endedSessions) ? { endedSessionsOf } : { endedSessions }),
  })
}

const known: ReadonlySet<string> = new Set(EVENT_NAMES)
const isKnown = (name: string): name is EventName => known.has(name)

const NAMES = v.array(v.string())
const NOTICE = v.object({
  channels: v.optional(NAMES, []),
  concerns: v.array(
    v.object({
      /** Collections of a newer version are left out. */
      collections: v.pipe(
        NAMES,
        v.transform(names => names.filter(isKnown)),
      ),
      in: v.optional(v.number()),
      users: v.optional(NAMES),
      everybody: v.optional(v.literal(true)),
      followersOf: v.optional(v.number()),
      membership: v.optional(v.literal(true)),
    }),
  ),
  endedSessions: v.optional(NAMES),
  endedSessionsOf: v.optional(v.string()),
})

const TEXT = v.pipe(
  v.string(),
  v.parseJson(),
  NOTICE,
  v.transform(
    ({ channels, concerns, ...notice }): Notice => ({
      ...notice,
      concerns: concerns.map(({ in: at, ...concern }) => ({
        ...concern,
        ...(at !== undefined && { channel: channels[at] }),
      })),
    }),
  ),
)

/** Logs malformed text and returns undefined. Fields of a newer version are ignored. */
export function fromText(text: string): Notice | undefined {
  const parsed = v.safeParse(TEXT, text, { abortEarly: true })
  if (parsed.success) return parsed.output
  const [fault] = parsed.issues
  log.debug({ field: v.getDotPath(fault), expected: fault.expected }, 'malformed notice')
  return undefined
}
