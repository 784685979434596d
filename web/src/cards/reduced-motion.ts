/** Whether this person wants things to stand still; images that move then wait to be played (ui.md 8). */
export { reducedMotion } from '../store/preferences.ts'
