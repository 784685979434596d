import { useId } from 'preact/hooks'
import { ErrorLine } from '../../ui/ErrorLine.tsx'

interface Props {
  name: string
  label: string
  hint?: string
  value: string
  rows: number
  maxLength: number
  problem?: string
  /** In the face of code. */
  isCode?: boolean
  set: (value: string) => void
}

/** A labelled text of several lines. */
export function TextArea({ name, label, hint, value, rows, maxLength, problem = '', isCode, set }: Props) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class={isCode ? 'integrations-text is-code' : 'integrations-text'}
        name={name}
        rows={rows}
        value={value}
        maxLength={maxLength}
        spellcheck={!isCode}
        aria-invalid={problem !== ''}
        aria-describedby={described || undefined}
        onInput={event => set(event.currentTarget.value)}
      />
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {problem && <ErrorLine id={`${id}-problem`}>{problem}</ErrorLine>}
    </div>
  )
}
