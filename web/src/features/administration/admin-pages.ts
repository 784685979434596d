import { me } from '../../store/store.ts'
import { adminPage } from './open-administration.ts'

export const ADMIN_SECTIONS = {
  workspace: ['people', 'approvals', 'groups', 'invites', 'channels', 'settings', 'integrations'],
  server: ['ready', 'backups', 'statistics', 'audit'],
} as const
export type AdminPage = (typeof ADMIN_SECTIONS)[keyof typeof ADMIN_SECTIONS][number]
export const ADMIN_PAGES: readonly AdminPage[] = Object.values(ADMIN_SECTIONS).flat()

export const adminAddress = (page: AdminPage) => `#/admin/${page}`

/** Not for administrators. */
const FOR_OWNERS: readonly AdminPage[] = ['backups']

/** For everybody but guests, who act on what they own. */
const FOR_MEMBERS: readonly AdminPage[] = ['integrations']

export function maySee(page: AdminPage): boolean {
  const role = me.value?.role
  if (role === undefined || role === 'guest') return false
  if (FOR_MEMBERS.includes(page)) return true
  return mayAdminister() && (role === 'owner' || !FOR_OWNERS.includes(page))
}

export const shownPage = (): AdminPage =>
  ADMIN_PAGES.find(page => page === adminPage.value && maySee(page)) ??
  (mayAdminister() ? 'people' : FOR_MEMBERS[0]!)

/** Some page may be seen; the one in the address too. */
export const mayOpen = (): boolean =>
  mayAdminister() || ADMIN_PAGES.some(page => page === adminPage.value && maySee(page))

export const mayAdminister = (): boolean => me.value?.may.includes('administer') ?? false
