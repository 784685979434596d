/** Opens the profile pop-over from any name or picture. Its code is fetched on first use. */
import { signal } from '@preact/signals'
import { h } from 'preact'
import type { Username } from '#shared/domain/units.ts'
import { DELETED_SENDER, SYSTEM_SENDER } from '#shared/domain/username.ts'
import { words } from '../../i18n/i18n.ts'
import { later } from '../../ui/later.ts'
import { Lazy } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

export const shownProfile = signal<Username | undefined>(undefined)

export const ProfileCard = later(() => import('./ProfileCard.tsx').then(module => module.ProfileCard))

/** False for the service and deleted accounts. */
export const hasProfile = (name: string) => name !== SYSTEM_SENDER && name !== DELETED_SENDER

export function openProfile(anchor: HTMLElement, name: Username) {
  shownProfile.value = name
  openPopover(anchor, words.profile.label(name), () => h(Lazy, { of: ProfileCard }))
}
