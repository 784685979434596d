/** Building blocks of the settings pages. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import './rows.css'

interface RowProps {
  title: string
  more?: string
  children: ComponentChildren
}

/** A heading at the side, its content beside it. */
export function SetRow({ title, more, children }: RowProps) {
  const id = useId()
  return (
    <section class="settings-row" aria-labelledby={id}>
      <div>
        <h3 id={id}>{title}</h3>
        {more && <p>{more}</p>}
      </div>
      <div class="settings-row-body">{children}</div>
    </section>
  )
}

interface LineProps {
  title: string
  more?: string | undefined
  children?: ComponentChildren
}

export function Line({ title, more, children }: LineProps) {
  return (
    <div class="settings-line">
      <span>
        <b>{title}</b>
        {more && <small>{more}</small>}
      </span>
      {children}
    </div>
  )
}

interface SwitchProps {
  title: string
  more?: string
  on: boolean
  set: (on: boolean) => void
}

/** A labelled switch. */
export function SwitchLine({ title, more, on, set }: SwitchProps) {
  const id = useId()
  return (
    <div class="settings-line">
      <span>
        <b id={id}>{title}</b>
        {more && <small id={`${id}-more`}>{more}</small>}
      </span>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={on}
        aria-labelledby={id}
        aria-describedby={more && `${id}-more`}
        onClick={() => set(!on)}
      />
    </div>
  )
}

interface RangeProps {
  label: string
  value: number
  least: number
  most: number
  text: string
  set: (value: number) => void
  disabled?: boolean
}

export function Range({ label, value, least, most, text, set, disabled }: RangeProps) {
  const part = (value - least) / (most - least)
  return (
    <input
      type="range"
      class="slider"
      min={least}
      max={most}
      step={(most - least) / 60}
      value={value}
      disabled={disabled}
      aria-label={label}
      aria-valuetext={text}
      style={{ '--part': String(part) }}
      onInput={event => set(Number(event.currentTarget.value))}
    />
  )
}

interface FootProps {
  /** Announced by screen readers when it changes. */
  note?: string | undefined
  children: ComponentChildren
}

export function Foot({ note, children }: FootProps) {
  return (
    <div class="settings-foot">
      <span class="hint settings-note" role="status">
        {note}
      </span>
      {children}
    </div>
  )
}

/** Footer of a page whose settings apply at once, on this device. */
export const DeviceFoot = ({ close }: { close: () => void }) => (
  <Foot note={strings.settings.onDevice}>
    <button type="button" class="button button-primary" onClick={close}>
      {strings.settings.done}
    </button>
  </Foot>
)
