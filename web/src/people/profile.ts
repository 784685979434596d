/** The profile pop-over, from wherever a name or a picture stands. What is in it is fetched when it is first opened. */
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

/** The service and whoever has deleted the account have none. */
export const hasProfile = (name: string) => name !== SYSTEM_SENDER && name !== DELETED_SENDER

export function openProfile(anchor: HTMLElement, name: Username) {
  shownProfile.value = name
  openPopover(anchor, words.profile.label(name), () => h(Lazy, { of: ProfileCard }))
}
