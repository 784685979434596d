/** Reaction names → emoji. The whole table is fetched with the first name outside the usual few. */
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

/** A reaction may also be an emoji character. A name shows as text until the table is loaded. */
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
