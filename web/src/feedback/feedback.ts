/** What is said to the person: one toast at a time, and words for those who listen instead of look. */
import { signal } from '@preact/signals'

export interface Toast {
  text: string
  icon?: string
  action?: { label: string; run: () => void }
}

export const toast = signal<Toast | undefined>(undefined)
export const polite = signal('')
export const assertive = signal('')

export function showToast(text: string, more: Omit<Toast, 'text'> = {}) {
  toast.value = { text, ...more }
}

export function announce(text: string, urgent = false) {
  const region = urgent ? assertive : polite
  // The same words twice are said twice only if the text changes.
  region.value = region.value === text ? `${text}\u00a0` : text
}
