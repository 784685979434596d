import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, time } = english

export const rowMenu = {
  rowMenu: {
    actions: (name: string) => `Actions for ${name}`,
    markRead: 'Mark as read',
    markUnread: 'Mark as unread',
    markAllRead: 'Mark all as read',
    markedRead: (name: string) => `${name} is read.`,
    markedUnread: (name: string) => `${name} is marked as unread.`,
    nothingToMark: (name: string) => `Nobody else has written in ${name} lately: nothing to mark as unread.`,
    allRead: (count: number) => `${counted(count, 'conversation', 'conversations')} marked as read`,
    nothingUnread: 'Everything is read already.',
    notAllMarked: 'The conversations could not be marked. Try again.',
    muteHour: 'Mute for 1 hour',
    muteTomorrow: 'Mute until tomorrow',
    muteForever: 'Mute until I turn it on',
    unmute: 'Unmute',
    muted: (name: string) => `${name} is muted`,
    mutedUntil: (name: string, ts: Seconds) => `${name} is muted until ${time(ts)}`,
    unmuted: (name: string) => `${name} is not muted any more`,
    copyLink: 'Copy link',
    close: 'Close conversation',
    mute: 'Mute',
    notify: 'Notify',
    levels: {
      default: 'As chosen for all channels',
      all: 'Every message',
      mentions: 'Mentions only',
      nothing: 'Nothing',
    },
    favourite: 'Add to favourites',
    noFavourite: 'Remove from favourites',
    moveTo: 'Move to',
    usualPlace: 'Its usual place',
    movedTo: (name: string, place: string) => `${name} is in ${place} now.`,
    placed: (name: string, at: number, of: number, place: string) => `${name}, ${at} of ${of} in ${place}`,
  },

  sections: {
    make: 'New section',
    made: (name: string) => `Section ${name} created.`,
    rename: 'Rename',
    placeholder: 'Name of the section',
    nameNeeded: 'A section needs a name.',
    tooMany: (most: number) => `There are ${most} sections already, and no more are possible.`,
    notSaved: 'The name could not be saved. Try again.',
    remove: 'Remove section',
    removed: (name: string) => `Section ${name} removed. Its channels are in their usual places.`,
    up: 'Move up',
    down: 'Move down',
    movedSection: (name: string, at: number, of: number) => `${name}, section ${at} of ${of}`,
    recent: 'Newest first',
    byName: 'By name',
    resets: (count: number) =>
      `${counted(count, 'channel', 'channels')} that you moved by hand will stand in this order, too.`,
    hideRead: 'Hide what is read',
    markRead: 'Mark all as read',
    order: 'The order of the list',
  },
}
