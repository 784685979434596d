import { peekPerson } from '../people/people.ts'
import type { Channel } from './channels.ts'

/**
 * Bots in the channel, which count as no people. Subscribes to the members, not to the kinds of their accounts. An api
 * process of the former release tells no number of a public channel.
 */
export const botsIn = ({ info, members }: Channel): number =>
  info.value?.kind === 'public'
    ? (info.value.bots ?? 0)
    : members.value.filter(name => peekPerson(name)?.kind === 'bot').length

/** Number of people in the channel, with the viewer. */
export const peopleIn = (channel: Channel): number => {
  const { info, members } = channel
  const accounts = info.value?.kind === 'public' ? info.value.members : members.value.length + 1
  return accounts - botsIn(channel)
}
