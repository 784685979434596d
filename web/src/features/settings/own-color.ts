/** Preview of the viewer's colour, and the twelve presets. */
import { defaultColorIndex } from '#shared/domain/username.ts'
import { viewer } from '../../store/store.ts'
import * as draft from './profile-draft.ts'

/** Read from the style sheet (tokens.css). */
export function presets(): string[] {
  const style = getComputedStyle(document.documentElement)
  return Array.from({ length: 12 }, (_, index) => style.getPropertyValue(`--name-${index}`).trim())
}

/** The last valid colour while the typed one is invalid. */
export function shownColor(): string {
  const now = draft.colorNow.value === undefined ? draft.savedColor.value : draft.colorNow.value
  return now ?? presets()[defaultColorIndex(viewer)]!
}
