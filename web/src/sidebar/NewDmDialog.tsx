import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { dmId } from '#shared/rules/channel-id.ts'
import type { Username } from '#shared/rules/units.ts'
import { Avatar, PersonName } from '../people/Avatar.tsx'
import { Failure, users } from '../server/endpoints.ts'
import { hashOf } from '../store/route.ts'
import { matchingPeople } from '../store/selectors.ts'
import { people, presenceOf, viewer } from '../store/store.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Option } from '../ui/Option.tsx'
import { words } from '../words.ts'
import './NewDmDialog.css'

const isOpen = signal(false)

export function openNewDm() {
  isOpen.value = true
  users().then(
    names => {
      people.value = names
    },
    error => {
      if (!(error instanceof Failure)) throw error
    },
  )
}

export function startConversation(names: Username[]) {
  location.hash = hashOf(dmId([viewer, ...names]))
}

export function NewDmDialog() {
  return isOpen.value ? <OpenDialog /> : null
}

const SHOWN = 50

function OpenDialog() {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Username[]>([])
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const found = matchingPeople(typed, people.value, [])
    .filter(name => !chosen.includes(name))
    .slice(0, SHOWN)
  const close = () => {
    isOpen.value = false
  }
  const start = (names: Username[]) => {
    if (names.length === 0) return
    close()
    startConversation(names)
  }
  const choose = (name: Username) => {
    setChosen([...chosen, name])
    setTyped('')
    setAt(0)
    field.current?.focus()
  }
  useEffect(() => field.current?.focus(), [])
  useEffect(() => document.getElementById(`to-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((at + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // With a name typed Enter takes it; with nothing typed it opens the conversation.
      if (typed.trim() === '' && chosen.length > 0) start(chosen)
      else if (found[at]) choose(found[at])
    } else if (event.key === 'Backspace' && typed === '') {
      setChosen(chosen.slice(0, -1))
    }
  }

  return (
    <Dialog label={words.newDm.title} onClose={close}>
      <div class="dlg-head">
        <h2 class="dlg-title">{words.newDm.title}</h2>
        <button type="button" class="ib" aria-label={words.close} onClick={close}>
          <Icon name="x" />
        </button>
      </div>
      <div class="input to-field">
        <span class="to-label" aria-hidden="true">
          {words.newDm.field}
        </span>
        {chosen.map(name => (
          <button
            type="button"
            key={name}
            class="to-chip"
            aria-label={words.newDm.remove(name)}
            onClick={() => setChosen(chosen.filter(other => other !== name))}
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
          aria-label={words.newDm.field}
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
      <div class="dlg-foot">
        <button type="button" class="btn" onClick={close}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="btn btn-primary"
          aria-disabled={chosen.length === 0}
          onClick={() => start(chosen)}
        >
          {words.newDm.start}
        </button>
      </div>
    </Dialog>
  )
}
