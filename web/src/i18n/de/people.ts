import type * as en from '../en/people.ts'
import { german } from './formats.ts'

const { list } = german

export const people: typeof en.people = {
  presence: { active: 'Aktiv', idle: 'Untätig', hidden: 'Abwesend', offline: 'Offline' },

  status: {
    auto: 'Automatisch',
    active: 'Aktiv',
    idle: 'Untätig',
    offline: 'Als offline erscheinen',
    invite: 'Leute einladen',
    administration: 'Verwaltung',
    signOut: 'Abmelden',
    settings: 'Einstellungen',
    title: 'Status',
    quiet: 'Benachrichtigungen pausiert',
  },

  profile: {
    label: (name: string) => `Profil von ${name}`,
    open: (name: string) => `Profil von ${name}`,
    now: { active: 'Jetzt aktiv', idle: 'Untätig', hidden: 'Abwesend', offline: 'Offline' },
    message: 'Nachricht',
    call: 'Anrufen',
    mention: 'Im Textfeld erwähnen',
    alsoIn: (channels: string[]) => `Auch in ${list(channels)}`,
    edit: 'Profil bearbeiten',
    gone: 'Dieses Konto gibt es nicht mehr.',
    since: (date: string) => `Dabei seit ${date}`,
  },

  people: {
    title: 'Personen',
    here: 'Da',
    away: 'Nicht da',
    you: 'Du',
    inCall: 'Im Anruf',
    guest: 'Gast',
    roles: { owner: 'Inhaber', admin: 'Admin', manager: 'Verwalter' },
    bot: 'Bot',
    message: (name: string) => `Nachricht an ${name}`,
  },
}
