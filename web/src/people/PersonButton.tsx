import type { ComponentChildren } from 'preact'
import type { Username } from '#shared/rules/units.ts'
import { words } from '../words.ts'
import { hasProfile, openProfile } from './profile.ts'

interface Props {
  name: Username
  /** Within the list of messages the row is the tab stop, and its menu has the profile too. */
  tabIndex?: number
  children: ComponentChildren
}

/** A picture or a name that opens the profile. */
export function PersonButton({ name, tabIndex = -1, children }: Props) {
  if (!hasProfile(name)) return <span class="who">{children}</span>
  return (
    <button
      type="button"
      class="who"
      tabIndex={tabIndex}
      aria-label={words.profile.open(name)}
      aria-haspopup="dialog"
      onClick={event => openProfile(event.currentTarget, name)}
    >
      {children}
    </button>
  )
}
