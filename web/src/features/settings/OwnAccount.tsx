import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { postJson } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { me } from '../../store/store.ts'
import { Select } from '../../ui/Select.tsx'
import { SetRow } from './rows.tsx'

type Field = 'display_name' | 'title' | 'timezone'

const LONGEST = 80

/** Display name, title and time zone: saved on Enter and on leaving the field. */
export function OwnAccount() {
  const texts = strings.ownAccount
  const [note, setNote] = useState('')
  const save = async (field: Field, value: string | null) => {
    if (value === (me.peek()?.[field] ?? null)) return
    setNote('')
    try {
      await postJson('/me', { [field]: value }, { method: 'PATCH' })
      setNote(texts.saved)
    } catch (error) {
      tolerateFailure(error)
      setNote(texts.notSaved)
    }
  }
  return (
    <SetRow title={texts.name} more={texts.nameMore}>
      <Line field="display_name" label={texts.displayName} save={save} />
      <Line field="title" label={texts.title} save={save} />
      <Zone save={save} />
      <p class="hint" role="status">
        {note}
      </p>
    </SetRow>
  )
}

interface LineProps {
  field: 'display_name' | 'title'
  label: string
  save: (field: Field, value: string | null) => Promise<void>
}

function Line({ field, label, save }: LineProps) {
  const id = useId()
  const stored = me.value?.[field] ?? ''
  const [typed, setTyped] = useState(stored)
  // Not at the first time, when keys may have been pressed already.
  const known = useRef(stored)
  useEffect(() => {
    if (known.current !== stored) setTyped(stored)
    known.current = stored
  }, [stored])
  const done = () => void save(field, typed.trim() || null)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input">
        <input
          id={id}
          value={typed}
          maxLength={LONGEST}
          autocomplete="off"
          dir="auto"
          onInput={event => setTyped(event.currentTarget.value)}
          onBlur={done}
          onKeyDown={event => event.key === 'Enter' && !event.isComposing && done()}
        />
      </div>
    </div>
  )
}

function Zone({ save }: Pick<LineProps, 'save'>) {
  const id = useId()
  const texts = strings.ownAccount
  const stored = me.value?.timezone ?? ''
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = [...new Set([here, stored, ...Intl.supportedValuesOf('timeZone')])].filter(Boolean)
  return (
    <div class="field">
      <label for={id}>{texts.timezone}</label>
      <Select id={id} value={stored} choose={zone => void save('timezone', zone || null)}>
        <option value="">{texts.noTimezone}</option>
        {zones.map(zone => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </Select>
    </div>
  )
}
