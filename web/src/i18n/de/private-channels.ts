import type * as en from '../en/private-channels.ts'
import { german } from './formats.ts'

const { list } = german

export const privateChannels: typeof en.privateChannels = {
  privateChannel: {
    unknown: 'Privater Kanal',
    skipped: (names: string[]) => `Nicht hinzugefügt: ${list(names)}.`,
    lost: (name: string) => `${name} ist nicht mehr zugänglich.`,
    left: (name: string) => `${name} verlassen.`,
    notLeft: name => `${name} konnte nicht verlassen werden. Noch einmal versuchen.`,
    start: 'Nur die Personen dieses Kanals können lesen, was hier steht.',
    sinceJoined: 'Zu sehen sind Nachrichten seit dem Beitritt.',
    done: 'Fertig',
  },
}
