import type { ChannelId, Username } from './units.ts'
import { idFrom } from './units.ts'
import { isUsername } from './username.ts'

/** What the text form of a channel says; it says nothing about whether the channel exists (interface 2.2). */
export type ParsedChannel =
  | { kind: 'public'; id: ChannelId }
  | { kind: 'dm'; id: ChannelId; participants: Username[] }
  | { kind: 'private'; id: ChannelId; privateId: number }

/** More people than this are a channel, not a conversation. */
export const MOST_PARTICIPANTS = 50

/** Whether a text would be the id of a DM, had it fewer people. */
export function hasTooManyParticipants(text: string): boolean {
  return (
    text.startsWith('dm:') && sortedUnique(text.slice('dm:'.length).split(':')).length > MOST_PARTICIPANTS
  )
}

/** DM ids are accepted in any order and with duplicates, and mean the canonical one; undefined for what is no channel id. */
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
  if (text === '' || text.includes(':')) return undefined
  return { kind: 'public', id: text }
}

/** The same set of people always yields the same id. */
export function dmId(participants: Username[]): ChannelId {
  return ['dm', ...sortedUnique(participants)].join(':')
}

function sortedUnique(names: string[]) {
  // By code unit, not by locale: every process and every browser must agree.
  return [...new Set(names)].sort()
}
