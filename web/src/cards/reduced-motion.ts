import { signal } from '@preact/signals'

const wish = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether this person wants things to stand still; images that move then wait to be played (ui.md 8). */
export const reducedMotion = signal(wish.matches)
wish.addEventListener('change', () => {
  reducedMotion.value = wish.matches
})
