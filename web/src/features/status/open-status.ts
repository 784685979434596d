/** Opens the dialog for the own status, which is loaded on demand. */
import { signal } from '@preact/signals'

export const isStatusOpen = signal(false)
