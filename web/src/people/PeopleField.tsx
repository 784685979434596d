import { useEffect, useRef, useState } from 'preact/hooks'
import type { Username } from '#shared/rules/units.ts'
import { matchingPeople } from '../store/selectors.ts'
import { people, presenceOf } from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'
import { Option } from '../ui/Option.tsx'
import { words } from '../words.ts'
import { Avatar, PersonName } from './Avatar.tsx'
import './PeopleField.css'

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

/** People as chips, and those whose name fits what is typed. The focus stays in the field. */
export function PeopleField({ label, inside, chosen, onChange, onDone, autofocus }: Props) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const found = matchingPeople(typed, people.value, [])
    .filter(name => !chosen.includes(name))
    .slice(0, SHOWN)
  const choose = (name: Username) => {
    onChange([...chosen, name])
    setTyped('')
    setAt(0)
    field.current?.focus()
  }
  useEffect(() => {
    if (autofocus) field.current?.focus()
  }, [])
  useEffect(() => document.getElementById(`to-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((at + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // With a name typed Enter takes it; with nothing typed it is the end.
      if (typed.trim() === '' && chosen.length > 0) onDone()
      else if (found[at]) choose(found[at])
    } else if (event.key === 'Backspace' && typed === '') {
      onChange(chosen.slice(0, -1))
    }
  }

  return (
    <>
      <div class="input to-field">
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
            onClick={() => {
              onChange(chosen.filter(other => other !== name))
              field.current?.focus()
            }}
          >
            {name}
            <Icon name="x" size={14} />
          </button>
        ))}
        <input
          ref={field}
          value={typed}
          placeholder={chosen.length === 0 ? words.newDm.placeholder : ''}
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls="to-list"
          aria-activedescendant={found[at] ? `to-${at}` : undefined}
          autocomplete="off"
          spellcheck={false}
          onInput={event => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="to-list" role="listbox" id="to-list" aria-label={words.newDm.people}>
        {found.map((name, index) => (
          <Option key={name} id={`to-${index}`} chosen={index === at} pick={() => choose(name)}>
            <Avatar name={name} size={24} presence />
            <PersonName name={name} />
            <span class="grow" />
            <span class="sub">{words.presence[presenceOf(name)]}</span>
          </Option>
        ))}
      </div>
      {found.length === 0 && chosen.length === 0 && (
        <p class="hint">{people.value.length === 0 ? words.newDm.alone : words.newDm.nobody}</p>
      )}
    </>
  )
}
