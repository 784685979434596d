import { formats } from '../formats.ts'

export const german = formats('de-DE', {
  today: 'Heute',
  yesterday: 'Gestern',
})
