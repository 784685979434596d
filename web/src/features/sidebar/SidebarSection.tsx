import type { ComponentChildren } from 'preact'
import type { Place } from '../../store/sidebar/sidebar-places.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'

interface Props {
  place: Place
  title: string
  isCollapsed: boolean
  toggle: () => void
  /** Unread messages, shown beside the title. */
  count?: number
  /** The button at the end; absent if undefined. */
  button?: { label: string; icon?: string; run: (button: HTMLElement) => void; isMenu?: boolean } | undefined
  children?: ComponentChildren
  rows: ComponentChildren[]
}

export function SidebarSection({ place, title, isCollapsed, toggle, count, button, children, rows }: Props) {
  const id = `section-${place}`
  return (
    <section class="sidebar-section" aria-labelledby={id} data-place={place}>
      <div
        class={isCollapsed ? 'sidebar-section-head is-folded' : 'sidebar-section-head'}
        draggable={typeof place === 'number'}
      >
        <h2>
          <button type="button" id={id} aria-expanded={!isCollapsed} onClick={toggle}>
            <bdi>{title}</bdi>
            {count ? <span class="unread-count">{count}</span> : null}
            <Icon name="chev-down" size={14} />
          </button>
        </h2>
        {button && (
          <IconButton
            icon={button.icon ?? 'plus'}
            label={button.label}
            size={24}
            iconSize={16}
            aria-haspopup={button.isMenu ? 'menu' : undefined}
            onClick={event => button.run(event.currentTarget)}
          />
        )}
      </div>
      {rows}
      {children}
    </section>
  )
}
