import type { ComponentChildren } from 'preact'
import { folded, type Section, toggleFolded } from '../store/folded.ts'
import { Icon } from '../ui/Icon.tsx'
import { IconButton } from '../ui/IconButton.tsx'

interface Props {
  section: Section
  title: string
  /** What the plus does; without it there is none. */
  add?: { label: string; run: () => void }
  /** Shown in any case. */
  children?: ComponentChildren
  /** `keep`: also shown while the section is folded away. */
  rows: { key: string; keep: boolean; row: ComponentChildren }[]
}

/** Folded away it still shows what is unread, and where the viewer is. */
export function SidebarSection({ section, title, add, children, rows }: Props) {
  const isFolded = folded.value.has(section)
  const id = `section-${section}`
  return (
    <section class="sec" aria-labelledby={id}>
      <div class={isFolded ? 'sec-head folded' : 'sec-head'}>
        <h2>
          <button type="button" id={id} aria-expanded={!isFolded} onClick={() => toggleFolded(section)}>
            {title}
            <Icon name="chev-down" size={14} />
          </button>
        </h2>
        {add && <IconButton icon="plus" label={add.label} size={24} iconSize={16} onClick={add.run} />}
      </div>
      {rows.filter(one => !isFolded || one.keep).map(one => one.row)}
      {children}
    </section>
  )
}
