import { useId } from 'preact/hooks'
import { fold } from '#shared/domain/fold.ts'
import { strings } from '../../i18n/i18n.ts'
import { displayed, displayNameOf } from '../../store/people/people.ts'
import { people } from '../../store/store.ts'

const MOST_SUGGESTIONS = 20

/** A whole username; the people of the workspace are suggested. */
export function PersonField({
  label,
  value,
  set,
}: {
  label: string
  value: string
  set: (value: string) => void
}) {
  const id = useId()
  const typed = value.trim().toLowerCase()
  const suggested = typed === '' ? [] : people.value.filter(name => fitsPerson(name, typed))
  return (
    <span class="admin-filter">
      <label class="hint" for={id}>
        {label}
      </label>
      <span class="input input-small">
        <input
          id={id}
          list={`${id}-names`}
          value={value}
          placeholder={strings.audit.anyone}
          autocomplete="off"
          spellcheck={false}
          maxLength={100}
          onInput={event => set(event.currentTarget.value)}
        />
      </span>
      <datalist id={`${id}-names`}>
        {suggested.slice(0, MOST_SUGGESTIONS).map(name => (
          <option key={name} value={name} label={displayed(name)} />
        ))}
      </datalist>
    </span>
  )
}

/** By the beginning of the username or of a word of the name. */
function fitsPerson(username: string, typed: string): boolean {
  const words = fold(displayNameOf(username) ?? '').split(' ')
  return [username.toLowerCase(), ...words].some(word => word.startsWith(fold(typed)))
}
