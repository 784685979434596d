/** True when the viewer prefers reduced motion: animated images then wait to be played (ui.md 8). */
export { reducedMotion } from '../../../store/preferences/preferences.ts'
