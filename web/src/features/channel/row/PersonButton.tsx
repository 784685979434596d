import type { ComponentChildren } from 'preact'
import type { Username } from '#shared/domain/units.ts'
import { strings } from '../../../i18n/i18n.ts'
import { displayed } from '../../../store/people/people.ts'
import { hasProfile, openProfile } from '../../people/open-profile.ts'

interface Props {
  name: Username
  /** Shown in place of the name. */
  words?: string | undefined
  /** -1 in the message list, where the row is the tab stop and its menu includes the profile. */
  tabIndex?: number
  children: ComponentChildren
}

/** Opens the profile from a picture or name. */
export function PersonButton({ name, words, tabIndex = -1, children }: Props) {
  if (!hasProfile(name)) return <span class="person-button">{children}</span>
  return (
    <button
      type="button"
      class="person-button"
      data-person={name}
      tabIndex={tabIndex}
      aria-label={strings.profile.open(words || displayed(name))}
      aria-haspopup="dialog"
      onClick={event => openProfile(event.currentTarget, name)}
    >
      {children}
    </button>
  )
}
