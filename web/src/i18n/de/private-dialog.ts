import type * as en from '../en/private-dialog.ts'

export const privateDialog: typeof en.privateDialog = {
  privateDialog: {
    title: 'Neuer privater Kanal',
    name: 'Name',
    people: 'Personen',
    namePlaceholder: 'Worum geht es?',
    create: 'Anlegen',
    nameNeeded: 'Ein Kanal braucht einen Namen.',
    notMade: name => `Der Kanal „${name}“ konnte nicht angelegt werden. Noch einmal versuchen.`,
    rename: 'Umbenennen',
    renamed: 'Umbenannt.',
    notRenamed: name => `Der Kanal konnte nicht in „${name}“ umbenannt werden. Noch einmal versuchen.`,
    add: 'Jemanden hinzufügen',
    addHint: 'Zu sehen sind Nachrichten von jetzt an, keine früheren.',
    addPlaceholder: 'Benutzername',
    added: (name: string) => `${name} wurde hinzugefügt.`,
    already: (name: string) => `${name} ist schon da.`,
    unknownUser: (name: string) => `Hier heißt niemand ${name}.`,
    notAdded: (name: string) => `${name} konnte nicht hinzugefügt werden. Noch einmal versuchen.`,
    leave: 'Kanal verlassen',
    leaveShort: 'Verlassen',
    leaveAsk: (name: string) => `${name} verlassen?`,
    leaveMore: 'Danach muss dich jemand wieder hinzufügen.',
    leaveLast: 'Sonst ist niemand mehr hier. Der Kanal bleibt, leer.',
  },
}
