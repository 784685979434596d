/** Opens the profile pop-over from any name or picture. */
import { h } from 'preact'
import type { Username } from '#shared/domain/units.ts'
import { DELETED_SENDER, SYSTEM_SENDER } from '#shared/domain/username.ts'
import { strings } from '../../i18n/i18n.ts'
import { profileAddress } from '../../store/route.ts'
import { openPopover } from '../../ui/Popover.tsx'
import { part } from '../../ui/part.ts'

export const profileCard = part<typeof import('./ProfileCard.tsx')>()

/** False for the service and deleted accounts. */
export const hasProfile = (name: string) => name !== SYSTEM_SENDER && name !== DELETED_SENDER

/** `anchor`: undefined for the address of a profile. */
export function openProfile(anchor: HTMLElement | undefined, name: Username) {
  profileCard.use(({ ProfileCard }) =>
    openPopover(anchor, strings.profile.label(name), () => h(ProfileCard, { key: name, name }), {
      view: { key: 'profile', address: profileAddress(name) },
    }),
  )
}
