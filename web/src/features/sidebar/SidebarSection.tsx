import type { ComponentChildren } from 'preact'
import { collapsed, type Section, toggleCollapsed } from '../../store/collapsed.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

interface Props {
  section: Section
  title: string
  /** The plus button; absent if undefined. */
  add?: { label: string; run: (button: HTMLElement) => void; isMenu?: boolean }
  /** Shown even while the section is collapsed. */
  children?: ComponentChildren
  /** `keep`: shown even while the section is collapsed. */
  rows: { key: string; keep: boolean; row: ComponentChildren }[]
}

/** A collapsed section still shows unread channels and the open one. */
export function SidebarSection({ section, title, add, children, rows }: Props) {
  const isCollapsed = collapsed.value.has(section)
  const id = `section-${section}`
  return (
    <section class="sidebar-section" aria-labelledby={id}>
      <div class={isCollapsed ? 'sidebar-section-head is-folded' : 'sidebar-section-head'}>
        <h2>
          <button type="button" id={id} aria-expanded={!isCollapsed} onClick={() => toggleCollapsed(section)}>
            {title}
            <Icon name="chev-down" size={14} />
          </button>
        </h2>
        {add && (
          <IconButton
            icon="plus"
            label={add.label}
            size={24}
            iconSize={16}
            aria-haspopup={add.isMenu ? 'menu' : undefined}
            onClick={event => add.run(event.currentTarget)}
          />
        )}
      </div>
      {rows.filter(one => !isCollapsed || one.keep).map(one => one.row)}
      {children}
    </section>
  )
}
