import { formats } from '../formats.ts'

export const english = formats('en-GB', {
  today: 'Today',
  yesterday: 'Yesterday',
})
