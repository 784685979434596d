import { isMac } from '../store/store.ts'
import { isChord } from './chords.ts'
import { type Place, SHORTCUTS, type Shortcut, type ShortcutId } from './shortcuts.ts'

/** The first shortcut of a place with the keys of an event, among those that are `open`. */
export function pressedIn(
  place: Place,
  event: KeyboardEvent,
  open: (shortcut: Shortcut) => boolean = () => true,
): ShortcutId | undefined {
  return SHORTCUTS[place].find(
    shortcut => shortcut.keys.some(chord => isChord(event, chord, isMac)) && open(shortcut),
  )?.id
}
