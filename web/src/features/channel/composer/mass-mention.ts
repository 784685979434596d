import { EVERYONE, groupsIn, mentionsIn, mentionTokens } from '#shared/domain/mentions.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { groups } from '../../../store/people/groups.ts'
import { isBot } from '../../../store/people/people.ts'
import { viewer, workspace } from '../../../store/store.ts'
import type { MassMention } from '../../groups/open-groups.ts'

/** Until the workspace is known. */
const USUAL_GUARD = 10

/** Undefined if the text notifies no more people than the guard. */
export function massMentionIn(text: string, channel: Channel): MassMention | undefined {
  const tokens = mentionTokens(text)
  const members = channel.members.peek()
  const info = channel.info.peek()
  const mayTellAll = info?.may.includes('mention_everyone') ?? true
  // As the server counts: handles beyond the first ones are plain text.
  const meant = groupsIn(tokens, members, groups.peek())
  const told = mentionsIn(tokens, members, mayTellAll, meant) ?? []
  const isToAll = told[0] === EVERYONE
  // Bots are not told of @everyone.
  const bots = isToAll ? members.filter(isBot) : []
  const people = (isToAll ? members : told).filter(name => name !== viewer && !bots.includes(name))
  const named = meant.map(({ handle }) => `@${handle}`)
  const names = isToAll ? [EVERYONE, ...named] : named
  // A public channel has fewer members than readers. An api process of the former release tells no number of bots.
  const count = isToAll && info ? info.members - 1 - (info.bots ?? 0) : people.length
  const guard = workspace.peek()?.limits.mention_guard ?? USUAL_GUARD
  if (names.length === 0 || count <= guard) return undefined
  return { names, count, people: people.length === count ? people : undefined }
}
