export const shares = {
  shares: {
    label: 'Screen share',
    isSharing: (name: string) => `${name} is sharing a screen.`,
    watch: 'Watch',
    youShare: 'You are sharing.',
    youShareIn: (channel: string) => `You are sharing in ${channel}.`,
    stop: 'Stop',
    stopWatching: 'Stop watching',
    waiting: 'Waiting for the picture…',
    notBegun: (name: string) => `The screen could not be shared with ${name}. Try again in a moment.`,
    isOver: (name: string) => `${name} has stopped sharing`,
  },
}
