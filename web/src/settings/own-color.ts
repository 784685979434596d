/** The viewer's colour as it will be, and the twelve to choose from. */
import { defaultColorIndex } from '#shared/rules/username.ts'
import { viewer } from '../store/store.ts'
import * as draft from './profile-draft.ts'

/** The style sheet has them (tokens.css). */
export function presets(): string[] {
  const style = getComputedStyle(document.documentElement)
  return Array.from({ length: 12 }, (_, index) => style.getPropertyValue(`--name-${index}`).trim())
}

/** While something is typed that is no colour yet, the one before. */
export function shownColor(): string {
  const now = draft.colorNow.value === undefined ? draft.savedColor.value : draft.colorNow.value
  return now ?? presets()[defaultColorIndex(viewer)]!
}
