import type * as en from '../en/first-steps.ts'

export const firstSteps: typeof en.firstSteps = {
  firstSteps: {
    label: 'Nächste Schritte',
    others: 'Die anderen dazuholen',
    othersMore: 'Unter dieser Adresse können alle ein Konto anlegen:',
    copy: 'Adresse kopieren',
    copied: 'Adresse kopiert',
    picture: 'Ein Bild von dir hinzufügen',
    pictureMore: 'Die anderen sehen sofort, wer schreibt.',
    choosePicture: 'Bild wählen',
    notifications: 'Benachrichtigungen einschalten',
    notificationsMore: 'Für Nachrichten, die dich betreffen, während bothy im Hintergrund ist.',
    openNotifications: 'Benachrichtigungen',
    invite: 'Leute einladen',
    inviteMore: 'Ein Link oder ein QR-Code lässt sie herein.',
  },

  ownerCard: {
    title: 'Dieser Arbeitsbereich gehört dir.',
    back: 'Auf diesem Server braucht etwas einen Blick.',
    invite: 'Leute einladen',
    look: 'Name und Logo',
    ready: 'Bereit fürs Büro?',
    putAway: 'Diese Karte wegräumen',
  },
}
