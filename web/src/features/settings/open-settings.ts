/** The open settings page. Separate from the dialog, which is fetched on first use. */
import { signal } from '@preact/signals'
import { isPhone } from '../../store/store.ts'

export const SETTINGS_PAGES = [
  'profile',
  'appearance',
  'notifications',
  'devices',
  'keyboard',
  'password',
  'sessions',
  'tokens',
  'delete',
] as const
export type SettingsPage = (typeof SETTINGS_PAGES)[number]

/** `list` is the first view on a phone. */
export const settingsPage = signal<SettingsPage | 'list' | undefined>(undefined)

export const settingsAddress = (page: SettingsPage | 'list') =>
  page === 'list' ? '#/settings' : `#/settings/${page}`

export function openSettings(page?: SettingsPage) {
  settingsPage.value = page ?? (isPhone.peek() ? 'list' : 'profile')
}
