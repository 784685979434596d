/** The open page of the administration, and the dialogs that belong to it. All are loaded on demand. */
import { signal } from '@preact/signals'
import { panel } from '../../store/store.ts'

export const ADMIN_SECTIONS = {
  workspace: ['people', 'approvals', 'groups', 'invites', 'channels', 'settings'],
  server: ['ready', 'statistics', 'audit'],
} as const
export type AdminPage = (typeof ADMIN_SECTIONS)[keyof typeof ADMIN_SECTIONS][number]
export const ADMIN_PAGES: readonly AdminPage[] = [...ADMIN_SECTIONS.workspace, ...ADMIN_SECTIONS.server]

export const adminPage = signal<AdminPage>('people')

export const adminAddress = (page: AdminPage) => `#/admin/${page}`

export function openAdministration(page: AdminPage = adminPage.peek()) {
  adminPage.value = page
  panel.value = 'admin'
}

export const isInviteOpen = signal(false)

/** Set while the password is asked for. Called with false if the person gives up. */
export const passwordAsked = signal<((given: boolean) => void) | undefined>(undefined)
