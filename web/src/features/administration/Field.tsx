import { useId } from 'preact/hooks'
import { Icon } from '../../ui/Icon.tsx'

interface Props {
  name: string
  label: string
  hint?: string | undefined
  value: string
  maxLength: number
  /** Why the value was refused; empty if it was not. */
  problem: string
  set: (value: string) => void
}

/** A labelled line of text with its error. */
export function Field({ name, label, hint, value, maxLength, problem, set }: Props) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class={problem ? 'input is-error' : 'input'}>
        <input
          id={id}
          name={name}
          value={value}
          maxLength={maxLength}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={problem !== ''}
          aria-describedby={described || undefined}
          onInput={event => set(event.currentTarget.value)}
        />
      </div>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && (
        <span class="error" id={`${id}-problem`} role="alert">
          <Icon name="alert" size={16} />
          {problem}
        </span>
      )}
    </div>
  )
}
