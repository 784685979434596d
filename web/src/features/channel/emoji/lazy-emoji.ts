import { type ReadonlySignal, signal } from '@preact/signals'

type EmojiList = typeof import('./emoji-list.ts')

const loaded = signal<EmojiList | undefined>(undefined)

/** The list of emoji; undefined until `loadEmoji` has fetched it. */
export const emojiList: ReadonlySignal<EmojiList | undefined> = loaded

/** Without the chunk, the text stays as typed. */
export async function loadEmoji() {
  loaded.value ??= await import('./emoji-list.ts').catch(() => undefined)
}
