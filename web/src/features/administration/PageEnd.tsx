import type { ComponentChildren } from 'preact'
import { PagesEnd, type RowsOfPages } from '../../common/PagesBounds.tsx'
import { strings } from '../../i18n/i18n.ts'

interface EndProps extends RowsOfPages {
  hasFailed: boolean
  again: () => void
  none: ComponentChildren
}

/** Below a list: the way to more of it, why there is none, or that it could not be loaded. */
export function PageEnd({ hasFailed, again, none, ...list }: EndProps) {
  if (hasFailed)
    return (
      <div class="empty-state" role="alert">
        <p>{strings.administration.notLoaded}</p>
        <button type="button" class="button" onClick={again}>
          {strings.tryAgain}
        </button>
      </div>
    )
  return list.next === null && list.items.length === 0 ? <p class="hint">{none}</p> : <PagesEnd {...list} />
}
