import { english } from './formats.ts'

const { list } = english

export const people = {
  presence: { active: 'Active', idle: 'Idle', hidden: 'Away', offline: 'Offline' },

  status: {
    auto: 'Automatic',
    active: 'Active',
    idle: 'Idle',
    offline: 'Appear offline',
    invite: 'Invite people',
    administration: 'Administration',
    signOut: 'Sign out',
    settings: 'Settings',
    title: 'Status',
    quiet: 'Notifications paused',
  },

  profile: {
    label: (name: string) => `Profile of ${name}`,
    open: (name: string) => `Profile of ${name}`,
    now: { active: 'Active now', idle: 'Idle', hidden: 'Away', offline: 'Offline' },
    message: 'Message',
    call: 'Call',
    mention: 'Mention in the composer',
    alsoIn: (channels: string[]) => `Also in ${list(channels)}`,
    edit: 'Edit profile',
    gone: 'This account does not exist any more.',
    since: (date: string) => `Joined ${date}`,
  },

  people: {
    title: 'People',
    here: 'Here',
    away: 'Not here',
    you: 'You',
    inCall: 'In a call',
    guest: 'guest',
    roles: { owner: 'Owner', admin: 'Admin', manager: 'Manager' },
    bot: 'bot',
    message: (name: string) => `Message ${name}`,
  },
}
