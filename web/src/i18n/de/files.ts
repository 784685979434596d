import type * as en from '../en/files.ts'
import { german } from './formats.ts'

const { counted, month, number, size } = german

export const files: typeof en.files = {
  files: {
    title: 'Dateien',
    size,
    month,
    open: name => `${name} in einem neuen Tab öffnen`,
    preview: name => `Vorschau von ${name}`,
    noPreview: 'Diese Datei lässt sich hier nicht zeigen. Sie kann heruntergeladen werden.',
    download: name => `${name} herunterladen`,
    play: name => `${name} abspielen`,
    pause: name => `${name} anhalten`,
    position: name => `Stelle in ${name}`,
    speed: speed => `Geschwindigkeit: ${number(speed)}×`,
    wholeScreen: name => `${name} auf dem ganzen Bildschirm zeigen`,
    film: (lines, bytes) => `${lines}p, ${size(bytes)}`,
    sized: (kind, bytes) => `${kind}, ${size(bytes)}`,
    archive: (count, bytes) => `${counted(count, 'Datei', 'Dateien')}, ${size(bytes)}`,
    kinds: {
      image: 'Bild',
      video: 'Video',
      audio: 'Ton',
      pdf: 'PDF',
      text: 'Text',
      zip: 'ZIP-Archiv',
      other: 'Datei',
    },
    contents: name => `Inhalt von ${name}`,
    showAll: count => `Alle ${number(count)} anzeigen`,
    cutOff: 'Es gibt noch mehr. Lade das Archiv herunter, um alles zu sehen.',
    find: 'Nach Namen suchen',
    type: 'Art',
    types: {
      all: 'Alle Arten',
      image: 'Bilder',
      video: 'Videos',
      audio: 'Töne',
      pdf: 'PDF',
      text: 'Text und Code',
      other: 'Andere',
    },
    sender: 'Von',
    anybody: 'Allen',
    none: 'Hier sind keine Dateien.',
    noneFound: 'Keine Datei passt.',
    failed: 'Die Dateien ließen sich nicht laden.',
    goTo: name => `${name} im Gespräch zeigen`,
  },
}
