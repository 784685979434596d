import { english } from './formats.ts'

const { month, size } = english

export const files = {
  files: {
    title: 'Files',
    size,
    month,
    open: (name: string) => `Open ${name} in a new tab`,
    preview: (name: string) => `Preview ${name}`,
    noPreview: 'This file cannot be shown here. Download it instead.',
    download: (name: string) => `Download ${name}`,
    find: 'Find by name',
    type: 'Type',
    types: {
      all: 'All types',
      image: 'Images',
      video: 'Videos',
      audio: 'Sounds',
      pdf: 'PDF',
      text: 'Text and code',
      other: 'Others',
    },
    sender: 'From',
    anybody: 'Anybody',
    none: 'No files here.',
    noneFound: 'No file matches.',
    failed: 'The files could not be loaded.',
    goTo: (name: string) => `Show ${name} in the conversation`,
  },
}
