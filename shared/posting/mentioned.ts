import { inactiveAmong, personOf } from '#shared/access/person.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import {
  EVERYONE,
  groupsIn,
  MOST_GROUPS_IN_TEXT,
  mayNameGroups,
  mentionCandidates,
  mentionsIn,
  mentionTokens,
  type UserGroup,
} from '#shared/domain/mentions.ts'
import { hasRight } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type Concern, MOST_NAMES } from '#shared/notices/notice.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { groupsNamed, readMembers } from './groups-named.ts'
import { privateMembersNamed, publicReadersNamed } from './people-named.ts'

export interface Mentioned {
  mentions: string[] | null
  /** Handles of the groups that the text mentions. */
  groups: string[]
  /** Groups with members who cannot read the channel, and their number. */
  missed: { handle: string; count: number }[]
  /** The text mentions everyone, which the sender may not (`who_mentions_everyone`), or does quietly. */
  isEveryoneIgnored: boolean
}

const NOBODY: Mentioned = { mentions: null, groups: [], missed: [], isEveryoneIgnored: false }

export interface MentionRule {
  isQuiet?: boolean
  /** In place of the right of the sender's role. */
  mayMentionEveryone?: boolean | undefined
  /** Groups are words, as everyone is. */
  isToPeopleOnly?: boolean | undefined
}

/**
 * The channel's members, among those whom the sender sees, that a text mentions by name or by the handle of a group.
 * Queries only names that occur in it, and groups only if a name is nobody's. A quiet text mentions nobody by `@everyone`.
 */
export async function mentionedIn(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  text: string,
  { isQuiet = false, isToPeopleOnly = false, mayMentionEveryone }: MentionRule = {},
): Promise<Mentioned> {
  const tokens = mentionTokens(text)
  if (tokens.length === 0) return NOBODY
  const candidates = mentionCandidates(tokens)
  const named = await membersNamed(stores, channel, candidates)
  const groups = isToPeopleOnly ? [] : await groupsMeant(stores, tokens, named, candidates)
  const readers = groups.length === 0 ? named : await withMembers(stores, channel, named, groups)
  const members = readers.length === 0 ? [] : await visibleAmong(stores, sender, readers)
  const mentions = mentionsIn(tokens, members, true, groups)
  const isToEveryone = mentions?.includes(EVERYONE) ?? false
  if (!isToEveryone && groups.length === 0) return { ...NOBODY, mentions }

  const person = await personOf(stores.db, sender)
  const byRole = !person || hasRight(person.role, 'mention_everyone', stores.settings.current)
  const isAllowed = !isToPeopleOnly && (mayMentionEveryone ?? byRole)
  const isEveryoneIgnored = isToEveryone && (isQuiet || !isAllowed)
  return {
    mentions: isEveryoneIgnored ? mentionsIn(tokens, members, false, groups) : mentions,
    ...(person?.role === 'guest'
      ? ofGuest(groups, members)
      : { groups: handlesOf(groups), missed: missedOf(groups, readers) }),
    isEveryoneIgnored,
  }
}

async function groupsMeant({ db }: Stores, tokens: string[], named: Username[], candidates: string[]) {
  if (!mayNameGroups(tokens, named)) return []
  const meant = groupsIn(tokens, named, await groupsNamed(db, candidates)).slice(0, MOST_GROUPS_IN_TEXT)
  if (meant.length === 0) return []
  const ids = meant.map(({ id }) => id)
  return readMembers(db, ids)
}

/** Named people and members of the groups who may read the channel, in its order. */
function withMembers(
  stores: Stores,
  channel: ReadableChannel,
  named: readonly Username[],
  groups: readonly UserGroup[],
): Promise<Username[]> {
  const names = new Set([...named, ...groups.flatMap(({ members }) => members)])
  return membersNamed(
    stores,
    channel,
    [...names].map(name => name.toLowerCase()),
  )
}

const handlesOf = (groups: readonly UserGroup[]) => groups.map(({ handle }) => handle)

function missedOf(groups: readonly UserGroup[], readers: readonly Username[]): Mentioned['missed'] {
  const reached = new Set(readers)
  return groups
    .map(({ handle, members }) => ({ handle, count: members.filter(name => !reached.has(name)).length }))
    .filter(({ count }) => count > 0)
}

/** A guest learns nothing of people whom they do not see, nor of groups without anybody else. */
function ofGuest(
  groups: readonly UserGroup[],
  seen: readonly Username[],
): Pick<Mentioned, 'groups' | 'missed'> {
  const isSeen = new Set(seen)
  return {
    groups: handlesOf(groups.filter(({ members }) => members.some(name => isSeen.has(name)))),
    missed: [],
  }
}

/** A message whose inbox items may change, besides those of mentions. */
export interface ListedReply {
  id: number
  /** Null unless the message is a reply. */
  followers: readonly Username[] | null
  /** Further people whose inbox lists the message. */
  also?: readonly Username[]
}

const MENTIONING = ['mentions', 'inbox'] as const
const INBOX = ['inbox'] as const

/** For a write's notice: whose `mentions` and `inbox` may change; all readers of the channel for `@everyone`. */
export function mentionsOf(
  channel: ChannelId,
  mentions: readonly string[] | null,
  others: readonly Username[],
  { id, followers, also = [] }: ListedReply,
): Concern[] {
  const names = [...new Set([...(mentions ?? []), ...others])]
  const own = [...new Set([...names, ...also])]
  const all = [...new Set([...own, ...(followers ?? [])])]
  if (names.includes(EVERYONE) || names.length > MOST_NAMES) return [{ collections: MENTIONING, channel }]
  if (all.length === names.length) return [{ collections: MENTIONING, channel, users: names }]
  const mentioned: Concern[] = names.length > 0 ? [{ collections: ['mentions'], channel, users: names }] : []
  if (all.length <= MOST_NAMES) return [...mentioned, { collections: INBOX, channel, users: all }]
  if (own.length > MOST_NAMES) return [...mentioned, { collections: INBOX, channel }]
  return [
    ...mentioned,
    { collections: INBOX, channel, users: own },
    { collections: INBOX, channel, followersOf: id },
  ]
}

async function membersNamed({ db }: Stores, channel: ReadableChannel, names: string[]) {
  const parsed = parseChannelId(channel.id)
  if (parsed?.kind === 'private') return privateMembersNamed(db, parsed.privateId, names)
  if (channel.kind === 'dm') {
    const keys = new Set(names)
    const named = channel.participants.filter(name => keys.has(name.toLowerCase()))
    const inactive = await inactiveAmong(db, named)
    return named.filter(name => !inactive.has(name))
  }
  return publicReadersNamed(db, channel.id, names)
}
