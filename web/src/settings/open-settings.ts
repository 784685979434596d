/** Which page of the settings is open. Small: the dialog itself is fetched when it is first shown. */
import { signal } from '@preact/signals'
import { isPhone } from '../store/store.ts'

export const SETTINGS_PAGES = [
  'profile',
  'appearance',
  'notifications',
  'devices',
  'keyboard',
  'password',
  'sessions',
  'delete',
] as const
export type SettingsPage = (typeof SETTINGS_PAGES)[number]

/** `list` is the first view on a phone, where one thing is shown at a time. */
export const settingsPage = signal<SettingsPage | 'list' | undefined>(undefined)

export function openSettings(page?: SettingsPage) {
  settingsPage.value = page ?? (isPhone.peek() ? 'list' : 'profile')
}
