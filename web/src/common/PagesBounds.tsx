import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../i18n/i18n.ts'
import { ListEnd } from '../ui/ListEnd.tsx'
import { MOST_ROWS, type usePages } from './use-pages.ts'
import './PagesBounds.css'

type Pages = ReturnType<typeof usePages>

export interface RowsOfPages extends Pick<Pages, 'next' | 'isFull' | 'more' | 'goOn'> {
  items: readonly unknown[]
}

/** Above the rows: the way back, which has the focus once the rows before were dropped. */
export function PagesStart({ stretch, toStart }: Pick<Pages, 'stretch' | 'toStart'>) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [stretch])
  if (stretch === 0) return null
  return (
    <button ref={button} type="button" class="button list-start" onClick={toStart}>
      {strings.pages.toStart}
    </button>
  )
}

/** Below the rows: loads more of them in view, or shows the next ones in place of a full list. */
export function PagesEnd({ items, next, isFull, more, goOn }: RowsOfPages) {
  if (typeof next !== 'string') return null
  if (!isFull) return <ListEnd key={items.length} more={() => void more()} />
  return (
    <div class="list-full">
      <p class="hint">{strings.pages.full(MOST_ROWS)}</p>
      <button type="button" class="button" onClick={() => void goOn()}>
        {strings.pages.goOn}
      </button>
    </div>
  )
}
