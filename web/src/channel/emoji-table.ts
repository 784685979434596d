/** Names of reactions → the emoji they show. The whole table is fetched when a name beyond the usual few is met. */
import { signal } from '@preact/signals'

export const QUICK = ['thumbsup', 'check', 'eyes', 'tada', 'heart'] as const

const usual: ReadonlyMap<string, string> = new Map([
  ['thumbsup', '👍'],
  ['check', '✅'],
  ['eyes', '👀'],
  ['tada', '🎉'],
  ['heart', '❤️'],
])

const table = signal(usual)
let asked = false

export function loadEmoji() {
  if (asked) return
  asked = true
  import('./emoji.ts')
    .then(module => {
      table.value = module.EMOJI
    })
    .catch(() => {
      asked = false
    })
}

export function allEmoji(): ReadonlyMap<string, string> {
  loadEmoji()
  return table.value
}

/** A reaction may also be an emoji by its own character. A name shows as itself until its emoji is here. */
export function emojiOf(reaction: string): string {
  const found = table.value.get(reaction)
  if (found) return found
  if (/^[a-z0-9_]+$/.test(reaction)) loadEmoji()
  return reaction
}

export function isEmojiName(name: string): boolean {
  if (!table.value.has(name)) loadEmoji()
  return table.value.has(name)
}
