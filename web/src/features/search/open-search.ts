/** A query entered elsewhere. The panel takes it when it opens, or at once if it is open. */
import { signal } from '@preact/signals'
import { panel } from '../../store/store.ts'

export const askedWords = signal<string | undefined>(undefined)

/** The words of the open panel, for its address. */
export const shownWords = signal('')

export const searchAddress = () =>
  shownWords.value === '' ? '#/search' : `#/search/${encodeURIComponent(shownWords.value)}`

export function searchFor(words: string) {
  askedWords.value = words
  panel.value = 'search'
}
