import { personOf } from '#shared/access/person.ts'
import { checkPosting, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { visibleText } from '#shared/domain/one-line.ts'
import type { Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Mentioned, type MentionRule, mentionedIn } from './mentioned.ts'
import { channelExists, participantsNamed } from './people-named.ts'

export interface CheckedText extends MentionRule {
  text: string
  /** Files accompany the text, which may be empty then. */
  hasFiles?: boolean
}

/** Throws if the sender may not post this in a channel that they can read. Returns whom the text mentions. */
export async function checkPost(
  stores: Stores,
  sender: Username,
  channel: ReadableChannel,
  { text, hasFiles = false, ...rule }: CheckedText,
): Promise<Mentioned> {
  checkLength(stores, text)
  if (!hasFiles && visibleText(text) === '') throw errors.empty()
  await checkMayPost(stores, sender, channel)
  return mentionedIn(stores, sender, channel, text, rule)
}

/** Throws if the sender may not post in a channel that they can read. `post` checks again. */
export async function checkMayPost(stores: Stores, sender: Username, channel: ReadableChannel) {
  checkPosting(channel)
  await checkParticipants(stores, sender, channel)
}

export function checkLength(stores: Stores, text: string) {
  const most = stores.settings.current.max_message_chars
  // A character has at most two UTF-16 units, so most texts need no counting.
  if (text.length > most && [...text].length > most) throw errors.messageTooLong(most)
}

/** A DM requires existing accounts (interface 2.2), and somebody else who can read it. */
async function checkParticipants(stores: Stores, sender: Username, channel: ReadableChannel) {
  if (channel.kind !== 'dm') return
  // DMs from bothy are read-only.
  if (channel.participants.includes(SYSTEM_SENDER)) throw errors.noAccount(SYSTEM_SENDER)
  const existing = await participantsNamed(
    stores.db,
    channel.participants.map(name => name.toLowerCase()),
  )
  const others = existing.filter(({ username }) => username !== sender)
  if (others.length > 0 && !others.some(({ isActive }) => isActive)) throw errors.forbidden()
  const missing = channel.participants.find(name => !existing.some(({ username }) => username === name))
  if (missing === undefined) return
  if (await channelExists(stores.db, channel.id)) return
  // Renamed since the channel was found.
  const renamed = await personOf(stores.db, missing)
  if (renamed && renamed.username !== missing) throw errors.unavailable()
  throw errors.noAccount(missing)
}
