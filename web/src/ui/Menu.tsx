import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './Icon.tsx'

interface Entry {
  label: string
  icon?: string
  /** Replaces the icon. */
  before?: ComponentChildren
  flip?: boolean
  keys?: string
  /** At the end of the line, in grey. */
  detail?: string
  danger?: boolean
  /** An entry of a choice. */
  checked?: boolean
  /** An entry that is on or off. */
  ticked?: boolean
  /** Draws a line above. */
  apart?: boolean
}

export type MenuItem = Entry & ({ run: () => void } | { more: () => MenuItem[] })

interface Props {
  items: MenuItem[]
  /** Name of a menu inside something larger; otherwise the element around it is the menu. */
  label?: string | undefined
  /** Shown above the entries; readers get the name of the menu. */
  heading?: string | undefined
  close: () => void
}

/**
 * Arrows and first letters move, Enter picks; the surrounding pop-over handles Escape. An entry with `more` shows its entries in place of
 * the menu, with a first one that leads back.
 */
export function MenuItems({ items, label, heading, close }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<MenuItem | undefined>(undefined)
  /** The index of the entry to focus. */
  const [from, setFrom] = useState<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (from === undefined) return
    const options = box.current!.querySelectorAll<HTMLElement>('button')
    options[opened ? Math.min(1, options.length - 1) : from]?.focus()
  }, [opened])
  const back = () => setOpened(undefined)
  const shown: MenuItem[] =
    opened && 'more' in opened
      ? [{ label: opened.label, icon: 'chev-left', flip: true, run: back }, ...opened.more()]
      : items

  const onKeyDown = (event: KeyboardEvent) => {
    const list = event.currentTarget as HTMLElement
    const options = [...list.querySelectorAll<HTMLElement>('button')]
    const at = options.indexOf(document.activeElement as HTMLElement)
    const isRtl = getComputedStyle(list).direction === 'rtl'
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key]
    if (step !== undefined) {
      const next = Number.isFinite(step)
        ? (at + step + options.length) % options.length
        : step < 0
          ? 0
          : options.length - 1
      options[next]?.focus()
    } else if (event.key === (isRtl ? 'ArrowLeft' : 'ArrowRight') && options[at]?.ariaHasPopup === 'menu')
      options[at].click()
    else if (event.key === (isRtl ? 'ArrowRight' : 'ArrowLeft') && opened) back()
    else if (isLetter(event)) options[nextWith(event.key, shown, at)]?.focus()
    else return
    event.preventDefault()
  }
  const pick = (item: MenuItem, index: number) => {
    if ('more' in item) {
      setFrom(index)
      setOpened(item)
    } else if (opened && index === 0) back()
    else {
      close()
      item.run()
    }
  }
  return (
    // biome-ignore lint/a11y: the role is that of a menu or none, which the linter cannot see
    <div ref={box} class="menu" role={label ? 'menu' : 'none'} aria-label={label} onKeyDown={onKeyDown}>
      {heading && !opened && (
        <div class="menu-heading" aria-hidden="true">
          {heading}
        </div>
      )}
      {shown.map((item, index) => (
        <>
          {item.apart && <div class="menu-separator" role="separator" />}
          <Line key={item.label} item={item} pick={() => pick(item, index)} />
        </>
      ))}
    </div>
  )
}

const isLetter = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent) =>
  /^[\p{L}\p{N}]$/u.test(key) && !ctrlKey && !altKey && !metaKey

/** The index of the next entry that begins with a letter, from the first again after the last; -1 without one. */
function nextWith(letter: string, entries: MenuItem[], at: number): number {
  const begins = ({ label }: MenuItem) =>
    label.slice(0, letter.length).localeCompare(letter, undefined, { sensitivity: 'base' }) === 0
  const after = entries.findIndex((entry, index) => index > at && begins(entry))
  return after >= 0 ? after : entries.findIndex(begins)
}

function Line({ item, pick }: { item: MenuItem; pick: () => void }) {
  const isOn = item.checked ?? item.ticked
  const role =
    item.checked !== undefined ? 'menuitemradio' : item.ticked !== undefined ? 'menuitemcheckbox' : 'menuitem'
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a menu item with a check is a radio item or a check box
    <button
      type="button"
      class={`option${item.danger ? ' is-danger' : ''}`}
      role={role}
      aria-checked={isOn}
      aria-haspopup={'more' in item ? 'menu' : undefined}
      onClick={pick}
    >
      {item.icon ? <Icon name={item.icon} flip={item.flip ?? false} /> : item.before}
      <span>{item.label}</span>
      <span class="grow" />
      {item.detail && <span class="option-detail">{item.detail}</span>}
      {isOn && <Icon name="check" size={16} />}
      {'more' in item && <Icon name="chev-right" size={16} flip />}
      {item.keys && (
        <span class="key-caps" aria-hidden="true">
          <kbd>{item.keys}</kbd>
        </span>
      )}
    </button>
  )
}
