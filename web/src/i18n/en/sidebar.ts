import { english } from './formats.ts'

const { counted, number } = english

export const sidebar = {
  sidebar: {
    label: 'Channels and conversations',
    activity: 'Activity',
    threads: 'Threads',
    favourites: 'Favourites',
    channels: 'Channels',
    direct: 'Direct messages',
    newMessage: 'New message',
    closeConversation: (name: string) => `Close conversation with ${name}`,
    closed: (name: string) => `Conversation with ${name} closed`,
    unread: (count: number) => counted(count, 'unread message', 'unread messages'),
    unreadBeyond: (count: number) => `${number(count)} unread`,
    mentioned: (count: number) => counted(count, 'mention', 'mentions'),
    callRunning: (count: number) => `Call running, ${counted(count, 'person', 'people')}`,
    draft: 'Draft',
    threadIn: (name: string) => `Thread in ${name}`,
    notSent: 'Message not sent',
    myStatus: 'Status and sign out',
    private: 'Private',
    newPrivate: 'New private channel',
    jump: 'Jump to…',
    noDms: 'Nobody yet. Start with the plus.',
    emptySection: 'Nothing here yet. Drag a channel here, or choose “Move to” in its menu.',
    sectionMenu: (name: string) => `Actions for the section ${name}`,
    notChanged: (name: string) => `${name} could not be changed. Try again.`,
    isMuted: 'Muted',
  },

  notLoaded: 'The list of channels could not be loaded.',
}
