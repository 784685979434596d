import type { ComponentChildren } from 'preact'
import { strings } from '../../i18n/i18n.ts'
import { ListEnd } from '../../ui/ListEnd.tsx'

interface EndProps {
  hasFailed: boolean
  next: string | null | undefined
  more: () => Promise<void>
  again: () => void
  count: number
  none: ComponentChildren
}

/** Below a list: the way to more of it, why there is none, or that it could not be loaded. */
export function PageEnd({ hasFailed, next, more, again, count, none }: EndProps) {
  if (hasFailed)
    return (
      <div class="empty-state" role="alert">
        <p>{strings.administration.notLoaded}</p>
        <button type="button" class="button" onClick={again}>
          {strings.tryAgain}
        </button>
      </div>
    )
  if (typeof next === 'string') return <ListEnd key={count} more={() => void more()} />
  return next === null && count === 0 ? <p class="hint">{none}</p> : null
}
