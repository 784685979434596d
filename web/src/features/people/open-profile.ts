/** Opens the profile pop-over from any name or picture. */
import { h } from 'preact'
import type { Username } from '#shared/domain/units.ts'
import { DELETED_SENDER, SYSTEM_SENDER } from '#shared/domain/username.ts'
import { strings } from '../../i18n/i18n.ts'
import { profileAddress } from '../../store/route.ts'
import { withModule } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

/** False for the service and deleted accounts. */
export const hasProfile = (name: string) => name !== SYSTEM_SENDER && name !== DELETED_SENDER

/** `anchor`: undefined for the address of a profile. */
export function openProfile(anchor: HTMLElement | undefined, name: Username) {
  withModule(
    () => import('./ProfileCard.tsx'),
    ({ ProfileCard }) =>
      openPopover(anchor, strings.profile.label(name), () => h(ProfileCard, { key: name, name }), {
        view: { key: 'profile', address: profileAddress(name) },
      }),
  )
}
