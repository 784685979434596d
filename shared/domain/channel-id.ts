import type { ChannelId, Username } from './units.ts'
import { idFrom } from './units.ts'
import { isUsername } from './username.ts'

/** The parsed text form of a channel, which may not exist (interface 2.2). */
export type ParsedChannel =
  | { kind: 'public'; id: ChannelId }
  | { kind: 'dm'; id: ChannelId; participants: Username[] }
  | { kind: 'private'; id: ChannelId; privateId: number }

/** Participants of a DM at most; larger groups use a channel. */
export const MOST_PARTICIPANTS = 50

/** Reports whether the text is the id of a DM with too many people. */
export function hasTooManyParticipants(text: string): boolean {
  return (
    text.startsWith('dm:') && sortedUnique(text.slice('dm:'.length).split(':')).length > MOST_PARTICIPANTS
  )
}

/** Parses a channel id; undefined if invalid. DM names may be in any order, with duplicates; the id is canonical. */
export function parseChannelId(text: string): ParsedChannel | undefined {
  if (text.startsWith('dm:')) {
    const participants = sortedUnique(text.slice('dm:'.length).split(':'))
    if (!participants.every(isUsername)) return undefined
    if (participants.length < 2 || participants.length > MOST_PARTICIPANTS) return undefined
    return { kind: 'dm', id: dmId(participants), participants }
  }
  if (text.startsWith('private:')) {
    const privateId = idFrom(text.slice('private:'.length))
    return privateId === undefined ? undefined : { kind: 'private', id: `private:${privateId}`, privateId }
  }
  if (text === '' || /[:\0]/.test(text)) return undefined
  return { kind: 'public', id: text }
}

/** Returns the canonical id: the same for the same set of people. */
export function dmId(participants: Username[]): ChannelId {
  return ['dm', ...sortedUnique(participants)].join(':')
}

function sortedUnique(names: string[]) {
  // By code unit, not by locale: every process and every browser must agree.
  return [...new Set(names)].sort()
}
