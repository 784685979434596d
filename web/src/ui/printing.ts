import { signal } from '@preact/signals'

/** True from `beforeprint` to `afterprint`: all loaded rows are mounted. theme.js chooses the light theme. */
export const isPrinting = signal(false)

addEventListener('beforeprint', () => {
  isPrinting.value = true
})
addEventListener('afterprint', () => {
  isPrinting.value = false
})
