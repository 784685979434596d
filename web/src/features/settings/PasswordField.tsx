import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'

/** Password managers save the password under this name. */
export function AccountName() {
  return (
    <input
      class="visually-hidden"
      type="text"
      autocomplete="username"
      value={viewer}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}

interface Props {
  label: string
  name: string
  autocomplete: 'current-password' | 'new-password'
  value: Signal<string>
  shown?: boolean
  problem?: string | undefined
  describedBy?: string
}

export function PasswordField({ label, name, autocomplete, value, shown, problem, describedBy }: Props) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class={`input input-small${problem ? ' is-error' : ''}`}>
        <input
          id={id}
          name={name}
          type={(shown ? 'text' : 'password') as 'password'}
          autocomplete={autocomplete}
          spellcheck={false}
          autocapitalize="off"
          value={value.value}
          aria-invalid={problem !== undefined}
          aria-describedby={[problem && `${id}-problem`, describedBy].filter(Boolean).join(' ') || undefined}
          onInput={event => {
            value.value = event.currentTarget.value
          }}
        />
      </div>
      {problem && (
        <p id={`${id}-problem`} class="error">
          <Icon name="alert" size={16} />
          {problem}
        </p>
      )}
    </div>
  )
}
