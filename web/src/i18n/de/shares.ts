import type { shares as english } from '../en/shares.ts'

export const shares: typeof english = {
  shares: {
    label: 'Geteilter Bildschirm',
    isSharing: (name: string) => `${name} teilt einen Bildschirm.`,
    watch: 'Ansehen',
    youShare: 'Der eigene Bildschirm wird geteilt.',
    youShareIn: (channel: string) => `Der eigene Bildschirm wird in ${channel} geteilt.`,
    stop: 'Beenden',
    stopWatching: 'Nicht mehr ansehen',
    waiting: 'Wartet auf das Bild …',
    notBegun: name =>
      `Der Bildschirm konnte nicht mit ${name} geteilt werden. In einem Moment noch einmal versuchen.`,
    isOver: (name: string) => `${name} teilt nicht mehr`,
  },
}
