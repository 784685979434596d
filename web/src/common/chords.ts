import type { Key } from './shortcuts.ts'

/** The part of a keyboard event that a chord is compared with. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

const NAMES: Record<string, string> = {
  esc: 'escape',
  '↑': 'arrowup',
  '↓': 'arrowdown',
  '←': 'arrowleft',
  '→': 'arrowright',
}

/** True if the event has exactly the keys of a chord. Pure. */
export function isChord(event: Pressed, chord: Key[], isMac: boolean): boolean {
  const key = chord.at(-1)!
  const wants = (modifier: Key) => chord.length > 1 && chord.includes(modifier)
  const [command, other] = isMac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
  // Both modifiers together type a character on many keyboards (AltGr).
  if (command !== wants('ctrl') || other || event.altKey !== wants('alt')) return false
  // Signs need Shift on some keyboards.
  if (!isSign(key) && key !== 'letter' && event.shiftKey !== wants('shift')) return false
  return isKey(event, key)
}

const isSign = (key: Key) => key.length === 1 && !/[\p{L}\p{N}↑↓←→]/u.test(key)

function isKey({ key, code }: Pressed, wanted: Key): boolean {
  if (wanted === 'letter') return key.length === 1
  const typed = key.toLowerCase()
  if (typed === (NAMES[wanted] ?? wanted.toLowerCase())) return true
  // Shift makes a sign of a digit, another one on each keyboard.
  if (/^\d$/.test(wanted) && code === `Digit${wanted}`) return true
  // Keyboards of other scripts: the key at the place of the letter.
  return /^[A-Z]$/.test(wanted) && /^[^\p{Script=Latin}\p{N}]$/u.test(key) && code === `Key${wanted}`
}
