/** What is said to the person: one toast at a time, and words for those who listen instead of look. */
import { signal } from '@preact/signals'

export interface Toast {
  text: string
  icon?: string
  action?: { label: string; run: () => void }
}

export const toast = signal<Toast | undefined>(undefined)

export function showToast(text: string, more: Omit<Toast, 'text'> = {}) {
  toast.value = { text, ...more }
}

/** A sentence for those who listen. */
export interface Spoken {
  key: number
  text: string
}

export const polite = signal<Spoken[]>([])
export const assertive = signal<Spoken[]>([])

/** Long enough for any reader to notice that it was added; then nobody shall come upon it. */
const KEPT = 10_000

let nextKey = 0

/** Each sentence is added by itself, so that none is lost to one that follows at once. */
export function announce(text: string, urgent = false) {
  const region = urgent ? assertive : polite
  const one = { key: nextKey++, text }
  region.value = [...region.peek(), one]
  setTimeout(() => {
    region.value = region.peek().filter(other => other !== one)
  }, KEPT)
}
