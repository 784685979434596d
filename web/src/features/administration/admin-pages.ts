import { me } from '../../store/store.ts'
import { adminPage } from './open-administration.ts'

export const ADMIN_SECTIONS = {
  workspace: ['people', 'approvals', 'groups', 'invites', 'channels', 'settings', 'integrations'],
  server: ['ready', 'backups', 'statistics', 'audit'],
} as const
export type AdminPage = (typeof ADMIN_SECTIONS)[keyof typeof ADMIN_SECTIONS][number]
export const ADMIN_PAGES: readonly AdminPage[] = [...ADMIN_SECTIONS.workspace, ...ADMIN_SECTIONS.server]

export const adminAddress = (page: AdminPage) => `#/admin/${page}`

/** Not for administrators. */
const FOR_OWNERS: readonly AdminPage[] = ['backups']

export const maySee = (page: AdminPage): boolean => me.value?.role === 'owner' || !FOR_OWNERS.includes(page)

export const shownPage = () => ADMIN_PAGES.find(page => page === adminPage.value && maySee(page)) ?? 'people'

export const mayAdminister = (): boolean => me.value?.may.includes('administer') ?? false
