import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { EVERYONE, mentionCandidates, mentionsIn, mentionTokens } from '#shared/domain/mentions.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { accountsNamed, privateMembersNamed } from './queries.ts'

/** The channel's members that a text mentions. Queries only names that occur in the text. */
export async function mentionedIn(
  stores: Stores,
  channel: ReadableChannel,
  text: string,
): Promise<string[] | null> {
  const tokens = mentionTokens(text)
  if (tokens.length === 0) return null
  return mentionsIn(tokens, await membersNamed(stores, channel, mentionCandidates(tokens)))
}

/** For a write's notice: users whose `mentions` may change. Without the field, all readers of the channel. */
export function mentionScope(
  mentions: readonly string[] | null,
  others: readonly Username[] = [],
): { mentioned?: Username[] } {
  const names = new Set([...(mentions ?? []), ...others])
  return names.has(EVERYONE) ? {} : { mentioned: [...names] }
}

async function membersNamed({ db }: Stores, channel: ReadableChannel, names: string[]) {
  const parsed = parseChannelId(channel.id)
  if (parsed?.kind === 'private') return privateMembersNamed(db, parsed.privateId, names)
  if (channel.kind === 'dm') return channel.participants.filter(name => names.includes(name.toLowerCase()))
  return accountsNamed(db, names)
}
