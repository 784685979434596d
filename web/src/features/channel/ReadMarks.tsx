import { signal } from '@preact/signals'
import type { Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import type { Readers } from '../../store/selectors.ts'
import { Lazy, lazyComponent } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { openProfile } from '../people/open-profile.ts'
import './ReadMarks.css'

const SHOWN = 6

interface Props {
  readers: Readers
  of: number
}

/** Pictures of those who have read up to here; the last is a number when there are too many. */
export function ReadMarks({ readers, of }: Props) {
  const { names, count, message } = readers
  const shown = count > SHOWN ? names.slice(0, SHOWN - 1) : names
  const label = strings.seen.label(names, count)
  return (
    <button
      type="button"
      class="seen"
      tabIndex={-1}
      title={label}
      onClick={event => openSeenBy(event.currentTarget, readers, of)}
    >
      <span class="visually-hidden">{label}</span>
      <span class="avatar-pile" aria-hidden="true">
        {shown.map(name => (
          <Avatar key={name} name={name} size={16} />
        ))}
      </span>
      {message !== undefined ? (
        <span aria-hidden="true">{strings.seen.short(count)}</span>
      ) : (
        count > shown.length && (
          <span class="tabular-numbers" aria-hidden="true">
            +{count - shown.length}
          </span>
        )
      )}
    </button>
  )
}

/** The message whose readers are shown page by page. */
export const askedReaders = signal<{ message: number; of: number; anchor: HTMLElement } | undefined>(
  undefined,
)
const SeenBy = lazyComponent(() => import('./SeenBy.tsx').then(module => module.SeenBy))

/** With `message`, pages through all its readers; without, `names` are all. */
export function openSeenBy(
  anchor: HTMLElement,
  { names, count, message }: Omit<Readers, 'count'> & { count?: number },
  of: number,
) {
  const title = count === undefined ? strings.seen.unknown : strings.seen.by(count, Math.max(of, count))
  if (message !== undefined) {
    askedReaders.value = { message, of, anchor }
    openPopover(anchor, title, () => <Lazy of={SeenBy} />)
    return
  }
  openPopover(anchor, title, () => (
    <div class="seen-by" role="group" aria-label={title}>
      <div class="popover-title">{title}</div>
      {names.map(name => (
        <ReaderLine key={name} name={name} anchor={anchor} />
      ))}
    </div>
  ))
}

export function ReaderLine({ name, anchor }: { name: Username; anchor: HTMLElement }) {
  return (
    <button type="button" class="option" onClick={() => openProfile(anchor, name)}>
      <Avatar name={name} size={24} />
      <PersonName name={name} />
    </button>
  )
}
