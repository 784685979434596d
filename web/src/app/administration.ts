/** The chunk of the administration, fetched when it is first opened. */
import '../i18n/administration-strings.ts'
import '../i18n/panel-strings.ts'

export { AdministrationNav } from '../features/administration/AdministrationNav.tsx'
export { AdministrationPage } from '../features/administration/AdministrationPage.tsx'
export { InviteDialog } from '../features/administration/InviteDialog.tsx'
export { PasswordDialog } from '../features/administration/PasswordDialog.tsx'
