import type { Channel } from '../../store/channels.ts'

/** Number of people in the channel, with the viewer. */
export const peopleIn = (channel: Channel) => channel.members.value.length + 1
