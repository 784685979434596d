export const navigation = {
  unknownAddress: {
    title: 'There is nothing at this address',
    more: 'The link may be incomplete, or from another server.',
    goTo: (channel: string) => `Go to #${channel}`,
    start: 'Go to the start page',
  },

  channelLinks: { choose: 'Channels' },
}
