import { Avatar } from '../../../common/Avatar.tsx'
import { strings } from '../../../i18n/i18n.ts'
import type { Readers } from '../../../store/messages/selectors.ts'
import { displayed } from '../../../store/people/people.ts'
import { isPhone } from '../../../store/store.ts'
import { openPopover } from '../../../ui/Popover.tsx'
import { part } from '../../../ui/part.ts'
import './ReadReceipts.css'

export const seenBy = part<typeof import('./SeenBy.tsx')>()

/** Faces at most; fewer where they take much of the line. */
const SHOWN = 6
const SHOWN_ON_PHONE = 3

interface Props {
  readers: Readers
  of: number
}

/** Pictures of those who have read up to here; the last is a number when there are too many. */
export function ReadReceipts({ readers, of }: Props) {
  const { names, count, message } = readers
  const most = isPhone.value ? SHOWN_ON_PHONE : SHOWN
  const shown = count > most ? names.slice(0, most - 1) : names
  const label = strings.seen.label(names.map(displayed), count)
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

/** With `message`, pages through all its readers; without, `names` are all. */
export function openSeenBy(
  anchor: HTMLElement,
  { names, count, message }: Omit<Readers, 'count'> & { count?: number },
  of: number,
) {
  const title = count === undefined ? strings.seen.unknown : strings.seen.by(count, Math.max(of, count))
  seenBy.use(({ AllReaders, SeenBy }) =>
    openPopover(anchor, title, () =>
      message !== undefined ? (
        <SeenBy key={message} message={message} of={of} anchor={anchor} />
      ) : (
        <AllReaders title={title} names={names} anchor={anchor} />
      ),
    ),
  )
}
