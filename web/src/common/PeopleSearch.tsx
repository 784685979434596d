import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { displayNameOf } from '../store/people/people.ts'
import { presenceOf } from '../store/store.ts'
import { Option } from '../ui/Option.tsx'
import { Avatar, PersonName } from './Avatar.tsx'
import { PersonTag, StatusMark } from './StatusMark.tsx'
import './PeopleSearch.css'

interface Props {
  label: string
  /** Rendered inside the frame, before the field. */
  before?: ComponentChildren
  placeholder: string
  typed: string
  onType: (typed: string) => void
  /** The matching people. */
  found: Username[]
  pick: (name: Username) => void
  /** Returns true if it handled the key. */
  onKey?: (key: string) => boolean
  autofocus?: boolean
}

/** A name field with its matches. Arrows move, Enter picks; the focus stays in the field. */
export function PeopleSearch(props: Props) {
  const { label, before, placeholder, typed, onType, found, pick, onKey, autofocus } = props
  const id = useId()
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (autofocus) field.current?.focus()
  }, [])
  useEffect(() => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])
  const take = (name: Username) => {
    setAt(0)
    pick(name)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Ctrl+Enter belongs to the dialog.
    if (event.isComposing || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 && onKey?.(event.key)) return event.preventDefault()
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    if (step !== 0) setAt((at + step + found.length) % Math.max(found.length, 1))
    else if (found[at]) take(found[at])
  }
  return (
    <>
      <div class="input people-field">
        {before}
        <input
          ref={field}
          value={typed}
          placeholder={placeholder}
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          autocomplete="off"
          spellcheck={false}
          onInput={event => {
            onType(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="people-field-list" role="listbox" id={id} aria-label={strings.newDm.people}>
        {found.map((name, index) => (
          <Option key={name} id={`${id}-${index}`} chosen={index === at} pick={() => take(name)}>
            <Avatar name={name} size={24} presence />
            <PersonName name={name} />
            <PersonTag name={name} />
            {displayNameOf(name) && <span class="option-detail">@{name}</span>}
            <StatusMark name={name} />
            <span class="grow" />
            <span class="option-detail">{strings.presence[presenceOf(name)]}</span>
          </Option>
        ))}
      </div>
    </>
  )
}
