import type { ComponentChildren } from 'preact'
import { Icon } from './Icon.tsx'

export interface MenuItem {
  label: string
  icon?: string
  /** Replaces the icon. */
  before?: ComponentChildren
  flip?: boolean
  keys?: string
  danger?: boolean
  checked?: boolean
  /** Draws a line above. */
  apart?: boolean
  run: () => void
}

interface Props {
  items: MenuItem[]
  /** Name of a menu inside something larger; otherwise the element around it is the menu. */
  label?: string | undefined
  close: () => void
}

/** Arrows move, Enter picks; the surrounding pop-over handles Escape. */
export function MenuItems({ items, label, close }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const options = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')]
    const at = options.indexOf(document.activeElement as HTMLElement)
    const next = Number.isFinite(step)
      ? (at + step + options.length) % options.length
      : step < 0
        ? 0
        : options.length - 1
    options[next]?.focus()
  }
  return (
    // biome-ignore lint/a11y: the role is that of a menu or none, which the linter cannot see
    <div class="menu" role={label ? 'menu' : 'none'} aria-label={label} onKeyDown={onKeyDown}>
      {items.map(item => (
        <>
          {item.apart && <div class="menu-separator" role="separator" />}
          {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: a menu item with `checked` is a radio item */}
          <button
            type="button"
            class={`option${item.danger ? ' is-danger' : ''}`}
            role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={item.checked}
            onClick={() => {
              close()
              item.run()
            }}
          >
            {item.icon ? <Icon name={item.icon} flip={item.flip ?? false} /> : item.before}
            <span>{item.label}</span>
            <span class="grow" />
            {item.checked && <Icon name="check" size={16} />}
            {item.keys && (
              <span class="key-caps" aria-hidden="true">
                <kbd>{item.keys}</kbd>
              </span>
            )}
          </button>
        </>
      ))}
    </div>
  )
}
