import type { Username } from '#shared/rules/units.ts'
import { Avatar, PersonName } from '../people/Avatar.tsx'
import { openProfile } from '../people/profile.ts'
import { openPopover } from '../ui/Popover.tsx'
import { words } from '../words.ts'
import './ReadMarks.css'

const SHOWN = 6

interface Props {
  names: Username[]
  of: number
}

/** The pictures of those who have read up to here. */
export function ReadMarks({ names, of }: Props) {
  const shown = names.length > SHOWN ? names.slice(0, SHOWN - 1) : names
  return (
    <button
      type="button"
      class="seen"
      tabIndex={-1}
      title={words.seen.label(names)}
      onClick={event => openSeenBy(event.currentTarget, names, of)}
    >
      <span class="vh">{words.seen.label(names)}</span>
      <span class="pile" aria-hidden="true">
        {shown.map(name => (
          <Avatar key={name} name={name} size={16} />
        ))}
      </span>
      {names.length > shown.length && (
        <span class="num" aria-hidden="true">
          +{names.length - shown.length}
        </span>
      )}
    </button>
  )
}

export function openSeenBy(anchor: HTMLElement, names: Username[], of: number) {
  const title = words.seen.by(names.length, Math.max(of, names.length))
  openPopover(anchor, title, () => (
    <div class="seen-by" role="group" aria-label={title}>
      <div class="pop-title">{title}</div>
      {names.map(name => (
        <button type="button" key={name} class="opt" onClick={() => openProfile(anchor, name)}>
          <Avatar name={name} size={24} />
          <PersonName name={name} />
        </button>
      ))}
    </div>
  ))
}
