import { useEffect, useRef, useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { tolerateFailure } from '../../../net/requests/failure.ts'
import { seen } from '../../../net/requests/lazy-endpoints.ts'
import { ListEnd } from '../../../ui/ListEnd.tsx'
import { openProfile } from '../../people/open-profile.ts'

interface Props {
  message: number
  of: number
  anchor: HTMLElement
}

interface Asked {
  names: Username[]
  count: number | undefined
  /** Cursor of the next page; null after the last. */
  cursor: string | undefined | null
}

/** The readers of a message, all of whose names are known. */
export function AllReaders({
  title,
  names,
  anchor,
}: {
  title: string
  names: Username[]
  anchor: HTMLElement
}) {
  return (
    <div class="seen-by" role="group" aria-label={title}>
      <div class="popover-title">{title}</div>
      {names.map(name => (
        <ReaderLine key={name} name={name} anchor={anchor} />
      ))}
    </div>
  )
}

/** All readers of one message in a channel with many, loaded page by page on scrolling. */
export function SeenBy({ message, of, anchor }: Props) {
  const [asked, setAsked] = useState<Asked>({ names: [], count: undefined, cursor: undefined })
  const [hasFailed, setFailed] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const asking = useRef(false)
  const { names, count, cursor } = asked

  const more = async () => {
    if (asking.current || cursor === null) return
    asking.current = true
    setFailed(false)
    try {
      const page = await seen(message, cursor)
      // Someone who reads the message between two requests may be on both pages.
      setAsked({ names: [...new Set([...names, ...page.names])], count: page.count, cursor: page.cursor })
    } catch (error) {
      tolerateFailure(error)
      setFailed(true)
    } finally {
      asking.current = false
    }
  }

  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    void more()
  }, [message])
  // Keyboard users continue from the first name.
  useEffect(() => {
    if (document.activeElement === box.current)
      box.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [names.length > 0, hasFailed])

  const title = count === undefined ? strings.seen.unknown : strings.seen.by(count, Math.max(of, count))
  return (
    <div ref={box} class="seen-by" role="group" aria-label={title} aria-busy={asking.current} tabIndex={-1}>
      <div class="popover-title">{title}</div>
      {names.map(name => (
        <ReaderLine key={name} name={name} anchor={anchor} />
      ))}
      {count === 0 && <p class="hint">{strings.seen.nobody}</p>}
      {hasFailed ? (
        <div class="seen-failed">
          <p class="hint" role="status">
            {strings.seen.failed}
          </p>
          <button type="button" class="button" onClick={() => void more()}>
            {strings.tryAgain}
          </button>
        </div>
      ) : (
        typeof cursor === 'string' && <ListEnd key={names.length} more={() => void more()} />
      )}
    </div>
  )
}

/** A person of a list, with a press that opens the profile. */
export function ReaderLine({ name, anchor }: { name: Username; anchor: HTMLElement }) {
  return (
    <button type="button" class="option" onClick={() => openProfile(anchor, name)}>
      <Avatar name={name} size={24} />
      <PersonName name={name} />
    </button>
  )
}
