/** Modifiers of skin tone; the first is none. */
export const TONES = ['', '🏻', '🏼', '🏽', '🏾', '🏿'] as const

/** All bases of an emoji, without the hands between two people. */
const BASE = /(?!\u{1F91D}\u200D)(\p{Emoji_Modifier_Base})\uFE0F?/gu

/** An emoji with an index of `TONES`, the same for everybody in it. */
export function toned(emoji: string, tone: number): string {
  const modifier = TONES[tone]
  return modifier ? emoji.replace(BASE, `$1${modifier}`) : emoji
}
