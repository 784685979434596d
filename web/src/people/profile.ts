/** Opens the profile pop-over from any name or picture. Its code is fetched on first use. */
import { signal } from '@preact/signals'
import { h } from 'preact'
import type { Username } from '#shared/rules/units.ts'
import { DELETED_SENDER, SYSTEM_SENDER } from '#shared/rules/username.ts'
import { later } from '../later.ts'
import { Lazy } from '../ui/lazy.tsx'
import { openPopover } from '../ui/Popover.tsx'
import { words } from '../words.ts'

export const shownProfile = signal<Username | undefined>(undefined)

export const ProfileCard = later(() => import('./ProfileCard.tsx').then(module => module.ProfileCard))

/** False for the service and deleted accounts. */
export const hasProfile = (name: string) => name !== SYSTEM_SENDER && name !== DELETED_SENDER

export function openProfile(anchor: HTMLElement, name: Username) {
  shownProfile.value = name
  openPopover(anchor, words.profile.label(name), () => h(Lazy, { of: ProfileCard }))
}
