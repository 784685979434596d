import { inactiveAmong, personOf } from '#shared/access/person.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { EVERYONE, mentionCandidates, mentionsIn, mentionTokens } from '#shared/domain/mentions.ts'
import { hasRight } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { privateMembersNamed, publicReadersNamed } from './queries.ts'

export interface Mentioned {
  mentions: string[] | null
  /** The text mentions everyone, which the sender may not (`who_mentions_everyone`). */
  isEveryoneIgnored: boolean
}

/** The channel's members, among those whom the sender sees, that a text mentions. Queries only names that occur in it. */
export async function mentionedIn(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  text: string,
): Promise<Mentioned> {
  const tokens = mentionTokens(text)
  if (tokens.length === 0) return { mentions: null, isEveryoneIgnored: false }
  const named = await membersNamed(stores, channel, mentionCandidates(tokens))
  const members = named.length === 0 ? [] : await visibleAmong(stores, sender, named)
  const mentions = mentionsIn(tokens, members)
  if (!mentions?.includes(EVERYONE)) return { mentions, isEveryoneIgnored: false }
  const person = await personOf(stores.db, sender)
  const isAllowed = !person || hasRight(person.role, 'mention_everyone', stores.settings.current)
  return isAllowed
    ? { mentions, isEveryoneIgnored: false }
    : { mentions: mentionsIn(tokens, members, false), isEveryoneIgnored: true }
}

/**
 * For a write's notice: users whose `mentions` and `inbox` may change. Without the fields, all readers of the channel.
 * `inboxes`: people whose `inbox` alone may change.
 */
export function mentionScope(
  mentions: readonly string[] | null,
  others: readonly Username[] = [],
  inboxes: readonly (Username | null)[] = [],
): { mentioned?: Username[]; inbox?: Username[] } {
  const names = new Set([...(mentions ?? []), ...others])
  if (names.has(EVERYONE)) return {}
  const known = inboxes.filter(name => name !== null)
  return { mentioned: [...names], inbox: [...new Set([...names, ...known])] }
}

async function membersNamed({ db }: Stores, channel: ReadableChannel, names: string[]) {
  const parsed = parseChannelId(channel.id)
  if (parsed?.kind === 'private') return privateMembersNamed(db, parsed.privateId, names)
  if (channel.kind === 'dm') {
    const named = channel.participants.filter(name => names.includes(name.toLowerCase()))
    const inactive = await inactiveAmong(db, named)
    return named.filter(name => !inactive.has(name))
  }
  return publicReadersNamed(db, channel.id, names)
}
