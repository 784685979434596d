import { english } from './formats.ts'

const { counted, month, number, since, size } = english

export const files = {
  files: {
    title: 'Files',
    size,
    month,
    /** The time for today, else the day. */
    since,
    open: (name: string) => `Open ${name} in a new tab`,
    preview: (name: string) => `Preview ${name}`,
    noPreview: 'This file cannot be shown here. Download it instead.',
    download: (name: string) => `Download ${name}`,
    play: (name: string) => `Play ${name}`,
    pause: (name: string) => `Pause ${name}`,
    position: (name: string) => `Position in ${name}`,
    speed: (speed: number) => `Speed: ${number(speed)}×`,
    wholeScreen: (name: string) => `Show ${name} on the whole screen`,
    /** 1080p, 96 MB. */
    film: (lines: number, bytes: number) => `${lines}p, ${size(bytes)}`,
    sized: (kind: string, bytes: number) => `${kind}, ${size(bytes)}`,
    archive: (count: number, bytes: number) => `${counted(count, 'file', 'files')}, ${size(bytes)}`,
    kinds: {
      image: 'Image',
      video: 'Video',
      audio: 'Sound',
      pdf: 'PDF',
      text: 'Text',
      zip: 'ZIP archive',
      other: 'File',
    },
    contents: (name: string) => `Contents of ${name}`,
    showAll: (count: number) => `Show all ${number(count)}`,
    cutOff: 'There are more. Download the archive to see them.',
    find: 'Find by name',
    today: 'Today',
    earlier: 'Earlier this month',
    type: 'Type',
    types: {
      all: 'All',
      image: 'Images',
      video: 'Videos',
      audio: 'Sounds',
      pdf: 'PDF',
      text: 'Text',
      other: 'Others',
    },
    sender: 'From',
    none: 'No files here.',
    noneFound: 'No file matches.',
    failed: 'The files could not be loaded.',
    goTo: (name: string) => `Show ${name} in the conversation`,
  },
}
