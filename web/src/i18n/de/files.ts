import type * as en from '../en/files.ts'
import { german } from './formats.ts'

const { month, size } = german

export const files: typeof en.files = {
  files: {
    title: 'Dateien',
    size,
    month,
    open: name => `${name} in einem neuen Tab öffnen`,
    preview: name => `Vorschau von ${name}`,
    noPreview: 'Diese Datei lässt sich hier nicht zeigen. Sie kann heruntergeladen werden.',
    download: name => `${name} herunterladen`,
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
