/** Opens the switcher, whose code is fetched while idle, so that opening needs no network. */
import { signal } from '@preact/signals'

export const isSwitcherOpen = signal(false)

export function openSwitcher() {
  isSwitcherOpen.value = true
}
