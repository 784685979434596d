import type { Seconds } from '#shared/domain/units.ts'
import type * as en from '../en/calls.ts'
import { german } from './formats.ts'

const { counted, number, list } = german

export const calls: typeof en.calls = {
  calls: {
    label: 'Anruf',
    title: (name: string) => `Anruf · ${name}`,
    ringing: 'Klingelt …',
    asking: 'Wartet auf das Mikrofon …',
    connecting: 'Verbindet …',
    lost: (name: string) => `${name} ist weg. Neuer Versuch …`,
    noPath: (name: string) => `Keine Verbindung zu ${name}. Vielleicht sind die Netze getrennt.`,
    you: 'Du',
    inCall: (name: string, time: string) => `Anruf in ${name}, ${time}`,
    muted: 'stumm',
    speaking: 'spricht',
    sharing: (name: string) => `${name} teilt den Bildschirm`,
    youShare: 'Der eigene Bildschirm wird geteilt',
    more: (count: number) => `+${number(count)}`,
    moreLabel: (count: number) => counted(count, 'weitere Person', 'weitere Personen'),
    isCalling: (name: string) => `${name} ruft an`,
    where: (name: string, people: number) => `${name}, ${counted(people, 'Person', 'Personen')}`,
    voiceCall: 'Sprachanruf',
    videoCall: 'Videoanruf',
    haveAnswered: (names: string[]) =>
      names.length === 1 ? `${names[0]} ist schon im Anruf.` : `${list(names)} sind schon im Anruf.`,
    decline: 'Ablehnen',
    answerVideo: 'Video',
    answer: 'Annehmen',
    controls: 'Steuerung des Anrufs',
    mute: 'Mikrofon stummschalten',
    unmute: 'Mikrofon einschalten',
    cameraOn: 'Kamera einschalten',
    cameraOff: 'Kamera ausschalten',
    chooseMicrophone: 'Mikrofon und Lautsprecher wählen',
    chooseCamera: 'Kamera wählen',
    microphone: 'Mikrofon',
    camera: 'Kamera',
    speaker: 'Lautsprecher',
    usual: 'Wie im System eingestellt',
    unnamed: (kind: string, at: number) => `${kind} ${number(at)}`,
    shareStop: 'Teilen beenden',
    addPeople: 'Personen hinzufügen',
    add: 'Hinzufügen',
    added: (name: string) => `Es klingelt bei ${name}`,
    notAdded: (name: string) =>
      `${name} konnte nicht zum Anruf hinzugefügt werden. In einem Moment noch einmal versuchen.`,
    everybodyIn: 'Alle von hier sind schon im Anruf.',
    hangUp: 'Auflegen',
    endTitle: 'Den Anruf für alle beenden?',
    endMore: (count: number) => `${counted(count, 'Person ist', 'Personen sind')} in diesem Anruf.`,
    leave: 'Verlassen',
    endMenu: 'Weitere Arten aufzulegen',
    endForAllMenu: 'Für alle beenden …',
    endForAll: 'Für alle beenden',
    inOtherTab: 'Anruf in einem anderen Tab',
    onOtherDevice: 'Anruf auf einem anderen Gerät',
    notLeft: name =>
      `Der Anruf mit ${name} konnte nicht verlassen werden. In einem Moment noch einmal versuchen.`,
    minimise: 'Anruf in die Ecke legen',
    expand: 'Zurück zum Anruf',
    back: 'Zurück zum Gespräch',
    conversation: 'Gespräch',
    showConversation: 'Gespräch zeigen',
    hideConversation: 'Gespräch ausblenden',
    grid: 'Raster',
    spotlight: 'Eine Person groß',
    fit: 'In das Fenster einpassen',
    actualSize: 'Tatsächliche Größe',
    fullScreen: 'Ganzer Bildschirm',
    screenOf: (name: string) => `Bildschirm von ${name}`,
    soundHeld: 'Der Browser hält den Ton zurück.',
    soundOn: 'Ton einschalten',
    reconnecting: 'Der Server antwortet nicht. Der Anruf geht weiter.',
    noAnswer: 'Keine Antwort',
    declined: (name: string) => `${name} hat abgelehnt`,
    ended: (from: Seconds, to: Seconds) =>
      `Anruf beendet, ${counted(Math.max(1, Math.round((to - from) / 60)), 'Minute', 'Minuten')}`,
    gone: 'Dieser Anruf läuft ohne dich weiter.',
    elsewhere: 'Der Anruf geht in einem anderen Tab oder auf einem anderen Gerät weiter.',
    join: 'Beitreten',
    isOver: 'Dieser Anruf ist vorbei.',
    notBegun: name =>
      `Der Anruf mit ${name} konnte nicht begonnen werden. In einem Moment noch einmal versuchen.`,
    goOnWithout: 'Ohne Mikrofon weiter',
    trouble: {
      title: {
        microphone: 'Kein Mikrofon',
        camera: 'Keine Kamera',
        screen: 'Der Bildschirm kann nicht geteilt werden',
      },
      blocked: {
        microphone:
          'Der Browser sperrt das Mikrofon. In der Adresszeile erlauben, dann noch einmal versuchen.',
        camera: 'Der Browser sperrt die Kamera. In der Adresszeile erlauben, dann noch einmal versuchen.',
        screen: 'Der Browser sperrt den Bildschirm. Erlauben, dann noch einmal versuchen.',
      },
      missing: {
        microphone: 'Dieses Gerät hat kein Mikrofon. Eines anschließen, dann noch einmal versuchen.',
        camera: 'Dieses Gerät hat keine Kamera. Eine anschließen, dann noch einmal versuchen.',
        screen: 'Dieser Browser kann keinen Bildschirm teilen.',
      },
      busy: {
        microphone: 'Ein anderes Programm benutzt das Mikrofon. Dort schließen, dann noch einmal versuchen.',
        camera: 'Ein anderes Programm benutzt die Kamera. Dort schließen, dann noch einmal versuchen.',
        screen: 'Der Bildschirm konnte nicht aufgenommen werden. Noch einmal versuchen.',
      },
      insecure: {
        microphone:
          'Browser geben das Mikrofon nur über https frei. Wer diesen Server betreibt, kennt die https-Adresse.',
        camera:
          'Browser geben die Kamera nur über https frei. Wer diesen Server betreibt, kennt die https-Adresse.',
        screen:
          'Browser teilen den Bildschirm nur über https. Wer diesen Server betreibt, kennt die https-Adresse.',
      },
    },
  },
}
