import { signal } from '@preact/signals'

export const isKeyboardSheetOpen = signal(false)

export function openKeyboardSheet() {
  isKeyboardSheetOpen.value = true
}
