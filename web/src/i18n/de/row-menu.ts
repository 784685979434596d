import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/row-menu.ts'
import { german } from './formats.ts'

const { counted, time } = german

export const rowMenu: typeof en.rowMenu = {
  rowMenu: {
    actions: (name: string) => `Aktionen für ${name}`,
    markRead: 'Als gelesen markieren',
    markUnread: 'Als ungelesen markieren',
    markAllRead: 'Alles als gelesen markieren',
    markedRead: (name: string) => `${name} ist gelesen.`,
    markedUnread: (name: string) => `${name} ist als ungelesen markiert.`,
    nothingToMark: (name: string) =>
      `In ${name} hat zuletzt niemand sonst geschrieben: Es gibt nichts als ungelesen zu markieren.`,
    allRead: (count: number) => `${counted(count, 'Gespräch', 'Gespräche')} als gelesen markiert`,
    nothingUnread: 'Alles ist schon gelesen.',
    notAllMarked: 'Die Gespräche konnten nicht markiert werden. Bitte noch einmal versuchen.',
    muteHour: '1 Stunde stummschalten',
    muteTomorrow: 'Bis morgen stummschalten',
    muteForever: 'Stummschalten, bis ich es ändere',
    unmute: 'Nicht mehr stummschalten',
    muted: (name: string) => `${name} ist stumm`,
    mutedUntil: (name: string, ts: Seconds) => `${name} ist stumm bis ${time(ts)}`,
    unmuted: (name: string) => `${name} ist nicht mehr stumm`,
    copyLink: 'Link kopieren',
    close: 'Gespräch schließen',
    mute: 'Stummschalten',
    notify: 'Benachrichtigen bei',
    levels: {
      default: 'Wie für alle Kanäle gewählt',
      all: 'Jede Nachricht',
      mentions: 'Nur Erwähnungen',
      nothing: 'Nichts',
    },
    favourite: 'Zu den Favoriten',
    noFavourite: 'Aus den Favoriten nehmen',
    moveTo: 'Verschieben nach',
    usualPlace: 'Der übliche Platz',
    movedTo: (name: string, place: string) => `${name} steht jetzt hier: ${place}.`,
    placed: (name: string, at: number, of: number, place: string) => `${name}, ${at} von ${of} in ${place}`,
  },

  sections: {
    make: 'Neuer Abschnitt',
    made: (name: string) => `Abschnitt ${name} angelegt.`,
    rename: 'Umbenennen',
    placeholder: 'Name des Abschnitts',
    nameNeeded: 'Ein Abschnitt braucht einen Namen.',
    tooMany: (most: number) => `Es gibt schon ${most} Abschnitte, mehr sind nicht möglich.`,
    notSaved: 'Der Name konnte nicht gespeichert werden. Noch einmal versuchen.',
    remove: 'Abschnitt entfernen',
    removed: (name: string) => `Abschnitt ${name} entfernt. Seine Kanäle stehen am üblichen Platz.`,
    up: 'Nach oben',
    down: 'Nach unten',
    movedSection: (name: string, at: number, of: number) => `${name}, Abschnitt ${at} von ${of}`,
    recent: 'Neueste zuerst',
    byName: 'Nach Namen',
    resets: (count: number) =>
      `Auch ${counted(count, 'von Hand verschobener Kanal steht', 'von Hand verschobene Kanäle stehen')} dann in dieser Reihenfolge.`,
    hideRead: 'Gelesenes ausblenden',
    markRead: 'Alles als gelesen markieren',
    order: 'Die Reihenfolge der Liste',
  },
}
