/** A query entered elsewhere. The panel takes it when it opens, or at once if it is open. */
import { signal } from '@preact/signals'
import { panel } from '../../store/store.ts'

export const askedWords = signal<string | undefined>(undefined)

export function searchFor(words: string) {
  askedWords.value = words
  panel.value = 'search'
}
