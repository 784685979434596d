import type { ComponentChildren } from 'preact'
import { folded, type Section, toggleFolded } from '../../store/collapsed.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

interface Props {
  section: Section
  title: string
  /** The plus button; absent if undefined. */
  add?: { label: string; run: () => void }
  /** Shown even while the section is folded. */
  children?: ComponentChildren
  /** `keep`: shown even while the section is folded. */
  rows: { key: string; keep: boolean; row: ComponentChildren }[]
}

/** A folded section still shows unread channels and the open one. */
export function SidebarSection({ section, title, add, children, rows }: Props) {
  const isFolded = folded.value.has(section)
  const id = `section-${section}`
  return (
    <section class="sidebar-section" aria-labelledby={id}>
      <div class={isFolded ? 'sidebar-section-head is-folded' : 'sidebar-section-head'}>
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
