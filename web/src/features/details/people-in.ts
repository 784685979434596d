import type { Channel } from '../../store/channels/channels.ts'

/** Number of people in the channel, with the viewer. */
export const peopleIn = ({ info, members }: Channel) =>
  info.value?.kind === 'public' ? info.value.members : members.value.length + 1
