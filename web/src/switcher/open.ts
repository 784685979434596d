/** The quick switcher is fetched in a moment without work, so that it needs no network when it is called. */
import { signal } from '@preact/signals'

export const isSwitcherOpen = signal(false)

export function openSwitcher() {
  isSwitcherOpen.value = true
}
