/** Toasts, one at a time, and announcements for screen readers. */
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

/** An announcement for screen readers. */
export interface Spoken {
  key: number
  text: string
}

export const polite = signal<Spoken[]>([])
export const assertive = signal<Spoken[]>([])

/** Long enough for any screen reader to notice; then removed, so that nobody navigates to it. */
const KEPT = 10_000

let nextKey = 0

/** Each announcement is an element of its own, so that quick successors do not replace it. */
export function announce(text: string, urgent = false) {
  const region = urgent ? assertive : polite
  const one = { key: nextKey++, text }
  region.value = [...region.peek(), one]
  setTimeout(() => {
    region.value = region.peek().filter(other => other !== one)
  }, KEPT)
}
