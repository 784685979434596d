import { english } from './formats.ts'

const { counted } = english

export const sidebar = {
  sidebar: {
    label: 'Channels and conversations',
    mentions: 'Mentions',
    channels: 'Channels',
    direct: 'Direct messages',
    newMessage: 'New message',
    closeConversation: (name: string) => `Close conversation with ${name}`,
    closed: (name: string) => `Conversation with ${name} closed`,
    unread: (count: number) => counted(count, 'unread message', 'unread messages'),
    mentioned: (count: number) => counted(count, 'mention', 'mentions'),
    draft: 'Draft',
    drafts: 'Drafts',
    notSent: 'Message not sent',
    myStatus: 'Status and sign out',
    private: 'Private',
    newPrivate: 'New private channel',
    jump: 'Jump to…',
    noDms: 'Nobody yet. Start with the plus.',
  },

  notLoaded: 'The list of channels could not be loaded.',

  newDm: {
    title: 'New message',
    field: 'To',
    placeholder: 'Type a name',
    nobody: 'No one has that name.',
    alone: 'You are the only one here so far.',
    start: 'Start',
    remove: (name: string) => `Remove ${name}`,
    people: 'People',
  },

  switcher: {
    label: 'Jump to',
    placeholder: 'Channel, person or action',
    channel: 'Channel',
    private: 'Private channel',
    direct: 'Direct message',
    person: 'Person',
    actions: 'Actions',
    places: 'Channels and people',
    useLight: 'Use the light theme',
    useDark: 'Use the dark theme',
    mute: 'Mute notifications for one hour',
    unmute: 'Turn notifications on',
    settings: 'Settings',
    shortcuts: 'Keyboard shortcuts',
    search: (typed: string) => `Search messages for “${typed}”`,
    nothing: (typed: string) => `Nothing here is called “${typed}”.`,
    found: (count: number) => counted(count, 'match', 'matches'),
    move: 'Move',
    open: 'Open',
  },
}
