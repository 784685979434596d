import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import './UnreadEdges.css'

/** Unread rows beyond the upper and the lower edge of the list. */
interface Beyond {
  above: HTMLElement[]
  below: HTMLElement[]
}

interface Props {
  list: RefObject<HTMLElement | null>
  children: ComponentChildren
}

/**
 * Says how many unread rows lie beyond the edges of the list; a press scrolls to the nearest. For the pointer: readers and
 * the keyboard have the whole list, and Alt+Shift+arrow.
 */
export function UnreadEdges({ list, children }: Props) {
  const [{ above, below }, setBeyond] = useState<Beyond>({ above: [], below: [] })
  useEffect(() => follow(list.current!, setBeyond), [])
  return (
    <>
      <Edge look="is-above" rows={above} nearest={above.at(-1)} />
      {children}
      <Edge look="is-below" rows={below} nearest={below[0]} />
    </>
  )
}

function Edge({
  look,
  rows,
  nearest,
}: {
  look: string
  rows: HTMLElement[]
  nearest: HTMLElement | undefined
}) {
  if (!nearest) return null
  return (
    <div class={`unread-edge ${look}`} aria-hidden="true">
      {/* biome-ignore lint/a11y: not a stop of the keyboard, which reaches the rows themselves */}
      <span
        class="unread-edge-pill"
        onClick={() => nearest.scrollIntoView({ block: 'center', behavior: 'smooth' })}
      >
        <Icon name="arrow-down" size={14} />
        {strings.sidebar.unreadBeyond(rows.length)}
      </span>
    </div>
  )
}

/** Measures once a frame at most, when the list is scrolled, resized or changed. Returns the undo. */
function follow(list: HTMLElement, tell: (beyond: Beyond) => void): () => void {
  let frame = 0
  let before = ''
  const measure = () => {
    frame = 0
    const { top, bottom } = list.getBoundingClientRect()
    const rows = [...list.querySelectorAll<HTMLElement>('.sidebar-row.is-unread')]
    const boxes = rows
      .map(row => ({ row, box: row.getBoundingClientRect() }))
      .filter(({ box }) => box.height > 0)
    const above = boxes.filter(({ box }) => box.bottom <= top + 4).map(({ row }) => row)
    const below = boxes.filter(({ box }) => box.top >= bottom - 4).map(({ row }) => row)
    const now = [above, below].map(some => some.map(row => row.dataset['channel']).join()).join('|')
    if (now !== before) tell({ above, below })
    before = now
  }
  const soon = () => {
    frame ||= requestAnimationFrame(measure)
  }
  const changed = new MutationObserver(soon)
  changed.observe(list, { childList: true, subtree: true, attributeFilter: ['class'] })
  const resized = new ResizeObserver(soon)
  resized.observe(list)
  list.addEventListener('scroll', soon, { passive: true })
  return () => {
    cancelAnimationFrame(frame)
    changed.disconnect()
    resized.disconnect()
    list.removeEventListener('scroll', soon)
  }
}
