import type * as en from '../en/first-steps.ts'

export const firstSteps: typeof en.firstSteps = {
  firstSteps: {
    label: 'Nächste Schritte',
    others: 'Leute einladen',
    othersMore: 'Unter dieser Adresse können alle ein Konto anlegen:',
    onlyHere:
      'Nur dieser Computer kann diese Adresse öffnen. Für die anderen PUBLIC_URL auf dem Server auf seinen Namen oder seine Adresse im Netz setzen.',
    copy: 'Adresse kopieren',
    copied: 'Adresse kopiert',
    picture: 'Ein Bild von dir hinzufügen',
    pictureMore: 'Daran erkennen dich die anderen.',
    choosePicture: 'Bild wählen',
    notifications: 'Benachrichtigungen einschalten',
    notificationsMore: 'Für Nachrichten, die dich betreffen, während bothy im Hintergrund ist.',
    openNotifications: 'Benachrichtigungen',
    invite: 'Leute einladen',
    inviteMore: 'Mit einem Link oder QR-Code.',
  },

  welcomeBar: {
    title: workspace => `Willkommen bei ${workspace}.`,
    signIn: 'Dein Benutzername:',
    nameAndPicture: 'Name und Bild hinzufügen',
    name: 'Deinen Namen hinzufügen',
    picture: 'Dein Bild hinzufügen',
    notifications: 'Benachrichtigungen einschalten',
    homeScreen: 'Zum Startbildschirm',
    byShare: 'Im Browser auf „Teilen“ tippen, dann auf „Zum Home-Bildschirm“.',
    close: 'Begrüßung schließen',
  },

  ownerCard: {
    title: 'Dieser Arbeitsbereich gehört dir.',
    back: 'Auf diesem Server ist etwas zu prüfen.',
    invite: 'Leute einladen',
    look: 'Name und Logo',
    ready: 'Bereit fürs Büro?',
    putAway: 'Ausblenden',
  },
}
