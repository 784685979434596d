import * as v from 'valibot'
import { EVENT_NAMES, type EventName } from '#shared/domain/payloads.ts'
import { log } from '#shared/runtime/log.ts'

const known: ReadonlySet<string> = new Set(EVENT_NAMES)
const isKnown = (name: string): name is EventName => known.has(name)

const names = v.pipe(v.array(v.string()), v.readonly())
/** Collections of a newer version are left out. */
const collections = v.pipe(
  v.array(v.string()),
  v.transform(found => found.filter(isKnown)),
  v.readonly(),
)

const SCOPE = v.object({
  /** The channel whose collections may have changed; global collections with an entry per channel change only there. */
  channel: v.optional(v.string()),
  /** People whose global collections may have changed. Default: the readers of `channel`; without it, everybody. */
  users: v.optional(names),
  /** People besides the readers of the channel. */
  also: v.optional(names),
  /** People whose `mentions` may have changed. Default: as for the other global collections. */
  mentioned: v.optional(names),
  /** People whose `sidebar` may have changed, besides those whom `collections` names it for. */
  sidebarOf: v.optional(names),
  /** People whose `inbox` may have changed. Default: as for the other global collections. */
  inbox: v.optional(names),
  /** A reply, besides `inbox`: the inboxes of those who follow its thread, whom gateways look up. */
  inboxOf: v.optional(v.number()),
  /** Further collections: for `users`, by default everybody; in `channel`, by default any. */
  besides: v.optional(
    v.pipe(
      v.array(v.object({ collections, users: v.optional(names), channel: v.optional(v.string()) })),
      v.readonly(),
    ),
  ),
  /** Sessions that this write ended; their streams end too. */
  endedSessions: v.optional(names),
  /** Their person. In a text it replaces `endedSessions` when they are many: gateways look up the person's sessions. */
  endedSessionsOf: v.optional(v.string()),
})

const NOTICE = v.object({
  ...SCOPE.entries,
  collections,
  /** Concerns more people than a notice may name. */
  everybody: v.optional(v.literal(true)),
  /** The readers of the channel changed; without a channel, those of any channel may have. */
  membership: v.optional(v.literal(true)),
})

/** The channels and people that a write concerns. */
export type Scope = v.InferOutput<typeof SCOPE>

/**
 * A hint that these collections may have changed. It carries no data: a lost, duplicate or reordered notice can delay a
 * frame but never corrupt one (architecture 2.3). It names the channel and a few people, never the members of a
 * channel: a gateway looks up which of its viewers are members.
 */
export type Notice = v.InferOutput<typeof NOTICE>

/** Names per list at most. */
export const MOST_NAMES = 12
/**
 * Length of a notice at most: four lists of twelve names or session ids of 32 characters, all collections, and the
 * longest channel id, that of a DM of fifty people. Nearly all notices are below a kilobyte.
 */
export const MOST_BYTES = 4_096

export const toText = (notice: Notice): string => JSON.stringify(withFewNames(notice))

/** Replaces long lists by a wider scope. */
function withFewNames(notice: Notice): Notice {
  const { users, also, mentioned, inbox, besides, endedSessions, endedSessionsOf, ...rest } = notice
  const areMany = (names: readonly string[] | undefined) => names !== undefined && names.length > MOST_NAMES
  return {
    ...rest,
    ...(areMany(users) || areMany(also) ? { everybody: true } : { users, also }),
    ...(areMany(mentioned) ? {} : { mentioned }),
    ...(areMany(inbox) ? {} : { inbox }),
    ...(besides
      ? { besides: besides.map(({ users, ...part }) => (areMany(users) ? part : { ...part, users })) }
      : {}),
    ...(areMany(endedSessions) ? { endedSessionsOf } : { endedSessions }),
  }
}

/** Logs malformed text and returns undefined. Fields of a newer version are ignored. */
export function fromText(text: string): Notice | undefined {
  const parsed = v.safeParse(TEXT, text, { abortEarly: true })
  if (parsed.success) return parsed.output
  const [fault] = parsed.issues
  log.warn({ field: v.getDotPath(fault), expected: fault.expected }, 'notice skipped: malformed')
  return undefined
}

const TEXT = v.pipe(v.string(), v.parseJson(), NOTICE)
