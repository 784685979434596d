import { useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { matchingPeople } from '../store/messages/selectors.ts'
import { displayed, displayNameOf } from '../store/people/people.ts'
import { people } from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'
import { PeopleSearch } from './PeopleSearch.tsx'

const SHOWN = 50

interface Props {
  label: string
  /** The label is a placeholder in the field instead of a line above. */
  inside?: boolean
  chosen: Username[]
  onChange: (chosen: Username[]) => void
  /** Called on Enter in the empty field. */
  onDone: () => void
  autofocus?: boolean
  /** Lists people only while text is typed. */
  whenTyped?: boolean
  /** People who are not offered, because they are where these are to go. */
  there?: readonly Username[]
}

const NOBODY: readonly Username[] = []

/** Chosen people as chips, and the people who match the typed text. */
export function PeopleField(props: Props) {
  const {
    label,
    inside,
    chosen,
    onChange,
    onDone,
    autofocus = false,
    whenTyped = false,
    there = NOBODY,
  } = props
  const [typed, setTyped] = useState('')
  const isListed = !whenTyped || typed.trim() !== ''
  const matching = matchingPeople(typed, people.value, [], displayNameOf).filter(
    name => !chosen.includes(name),
  )
  const found = matching.filter(name => !there.includes(name)).slice(0, SHOWN)
  const onKey = (key: string) => {
    // Enter picks a name while text is typed; in the empty field it submits.
    if (key === 'Enter' && typed.trim() === '' && chosen.length > 0) onDone()
    else if (key === 'Backspace' && typed === '') onChange(chosen.slice(0, -1))
    else return false
    return true
  }
  const chips = (
    <>
      {inside && (
        <span class="people-field-label" aria-hidden="true">
          {label}
        </span>
      )}
      {chosen.map(name => (
        <button
          type="button"
          key={name}
          class="people-field-person"
          aria-label={strings.newDm.remove(displayed(name))}
          onClick={event => {
            // Keeps the focus when the chip disappears.
            event.currentTarget.closest('.people-field')?.querySelector('input')?.focus()
            onChange(chosen.filter(other => other !== name))
          }}
        >
          {displayed(name)}
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
        placeholder={chosen.length === 0 ? strings.newDm.placeholder : ''}
        typed={typed}
        onType={setTyped}
        found={isListed ? found : []}
        pick={name => {
          onChange([...chosen, name])
          setTyped('')
        }}
        onKey={onKey}
        autofocus={autofocus}
      />
      {isListed && found.length === 0 && chosen.length === 0 && <p class="hint">{whyNone(matching)}</p>}
    </>
  )
}

function whyNone(matching: Username[]): string {
  if (matching.length > 0) return strings.newDm.there
  return people.value.length === 0 ? strings.newDm.alone : strings.newDm.nobody
}
