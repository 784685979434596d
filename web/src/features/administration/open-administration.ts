/** The open page of the administration, and the dialogs that belong to it. All are loaded on demand. */
import { signal } from '@preact/signals'
import { panel } from '../../store/store.ts'

export const ADMIN_PAGES = ['people', 'groups', 'invites', 'audit'] as const
export type AdminPage = (typeof ADMIN_PAGES)[number]

export const adminPage = signal<AdminPage>('people')

export function openAdministration(page: AdminPage = adminPage.peek()) {
  adminPage.value = page
  panel.value = 'admin'
}

export const isInviteOpen = signal(false)

/** Set while the password is asked for. Called with false if the person gives up. */
export const passwordAsked = signal<((given: boolean) => void) | undefined>(undefined)
