import type * as en from '../en/private-dialog.ts'

export const privateDialog: typeof en.privateDialog = {
  privateDialog: {
    name: 'Name',
    nameNeeded: 'Ein Kanal braucht einen Namen.',
    notMade: name => `Der Kanal „${name}“ konnte nicht angelegt werden. Noch einmal versuchen.`,
    rename: 'Umbenennen',
    notRenamed: name => `Der Kanal konnte nicht in „${name}“ umbenannt werden. Noch einmal versuchen.`,
    add: 'Jemanden hinzufügen',
    addHint: 'Zu sehen sind Nachrichten von jetzt an, keine früheren.',
    unknownUser: (name: string) => `Hier heißt niemand ${name}.`,
    notAdded: (name: string) => `${name} konnte nicht hinzugefügt werden. Noch einmal versuchen.`,
    leaveShort: 'Verlassen',
    leaveAsk: (name: string) => `${name} verlassen?`,
    leaveMore: 'Danach muss dich jemand wieder hinzufügen.',
    leaveLast: 'Sonst ist niemand mehr hier. Der Kanal bleibt, leer.',
  },
}
