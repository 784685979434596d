import { useState } from 'preact/hooks'
import type { Username } from '#shared/rules/units.ts'
import { matchingPeople } from '../store/selectors.ts'
import { people } from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'
import { PeopleSearch } from './PeopleSearch.tsx'

const SHOWN = 50

interface Props {
  label: string
  /** Stands in the field itself; without it the label is above. */
  inside?: boolean
  chosen: Username[]
  onChange: (chosen: Username[]) => void
  /** Enter with nothing typed. */
  onDone: () => void
  autofocus?: boolean
}

/** People as chips, and those whose name fits what is typed. */
export function PeopleField({ label, inside, chosen, onChange, onDone, autofocus = false }: Props) {
  const [typed, setTyped] = useState('')
  const found = matchingPeople(typed, people.value, [])
    .filter(name => !chosen.includes(name))
    .slice(0, SHOWN)
  const onKey = (key: string) => {
    // With a name typed Enter takes it; with nothing typed it is the end.
    if (key === 'Enter' && typed.trim() === '' && chosen.length > 0) onDone()
    else if (key === 'Backspace' && typed === '') onChange(chosen.slice(0, -1))
    else return false
    return true
  }
  const chips = (
    <>
      {inside && (
        <span class="to-label" aria-hidden="true">
          {label}
        </span>
      )}
      {chosen.map(name => (
        <button
          type="button"
          key={name}
          class="to-chip"
          aria-label={words.newDm.remove(name)}
          onClick={event => {
            // The chip goes, and the focus is not to go with it.
            event.currentTarget.closest('.to-field')?.querySelector('input')?.focus()
            onChange(chosen.filter(other => other !== name))
          }}
        >
          {name}
          <Icon name="x" size={14} />
        </button>
      ))}
    </>
  )
  return (
    <>
      <PeopleSearch
        label={label}
        before={chips}
        placeholder={chosen.length === 0 ? words.newDm.placeholder : ''}
        typed={typed}
        onType={setTyped}
        found={found}
        pick={name => {
          onChange([...chosen, name])
          setTyped('')
        }}
        onKey={onKey}
        autofocus={autofocus}
      />
      {found.length === 0 && chosen.length === 0 && (
        <p class="hint">{people.value.length === 0 ? words.newDm.alone : words.newDm.nobody}</p>
      )}
    </>
  )
}
