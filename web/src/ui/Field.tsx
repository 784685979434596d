import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { ErrorLine } from './ErrorLine.tsx'
import { Icon } from './Icon.tsx'

interface Props {
  /** Forms name the first faulty field by it. */
  name: string
  label: string
  /** Words beside the label, such as Optional. */
  beside?: string
  hint?: string | undefined
  /** In front of the text. */
  icon?: string
  /** Beside the line. */
  mark?: ComponentChildren
  value: string
  maxLength: number
  placeholder?: string
  /** Why the value was refused; empty if it was not. */
  problem?: string
  set: (value: string) => void
  /** Below the line and its error. */
  children?: ComponentChildren
}

/** A labelled line of text with its error. */
export function Field(props: Props) {
  const {
    name,
    label,
    beside,
    hint,
    icon,
    mark,
    value,
    maxLength,
    placeholder,
    problem = '',
    set,
    children,
  } = props
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const line = (
    <div class={problem ? 'input is-error' : 'input'}>
      {icon && <Icon name={icon} size={16} />}
      <input
        id={id}
        name={name}
        value={value}
        maxLength={maxLength}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem !== ''}
        aria-describedby={described || undefined}
        onInput={event => set(event.currentTarget.value)}
      />
    </div>
  )
  return (
    <div class="field">
      <label for={id}>
        {label}
        {beside && (
          <>
            {' '}
            <span class="hint">{beside}</span>
          </>
        )}
      </label>
      {mark ? (
        <div class="field-marked">
          {mark}
          {line}
        </div>
      ) : (
        line
      )}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && <ErrorLine id={`${id}-problem`}>{problem}</ErrorLine>}
      {children}
    </div>
  )
}
