/** Opens the profile pop-over from any name or picture. Its code is fetched on first use. */
import { signal } from '@preact/signals'
import { h } from 'preact'
import type { Username } from '#shared/domain/units.ts'
import { DELETED_SENDER, SYSTEM_SENDER } from '#shared/domain/username.ts'
import { strings } from '../../i18n/i18n.ts'
import { Lazy, lazyComponent } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

export const shownProfile = signal<Username | undefined>(undefined)

export const ProfileCard = lazyComponent(() => import('./ProfileCard.tsx').then(module => module.ProfileCard))

/** False for the service and deleted accounts. */
export const hasProfile = (name: string) => name !== SYSTEM_SENDER && name !== DELETED_SENDER

export function openProfile(anchor: HTMLElement, name: Username) {
  shownProfile.value = name
  openPopover(anchor, strings.profile.label(name), () => h(Lazy, { of: ProfileCard }))
}
