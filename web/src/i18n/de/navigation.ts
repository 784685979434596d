import type * as en from '../en/navigation.ts'

export const navigation: typeof en.navigation = {
  unknownAddress: {
    title: 'An dieser Adresse ist nichts',
    more: 'Der Link ist vielleicht unvollständig oder gehört zu einem anderen Server.',
    goTo: (channel: string) => `Zu #${channel}`,
    start: 'Zur Startseite',
  },

  channelLinks: { choose: 'Kanäle' },
}
