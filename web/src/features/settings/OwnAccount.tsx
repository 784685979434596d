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
    if (value === (me.peek()?.[field] ?? null)) return true
    setNote('')
    try {
      await postJson('/me', { [field]: value }, { method: 'PATCH' })
      setNote(texts.saved)
      return true
    } catch (error) {
      tolerateFailure(error)
      setNote(texts.notSaved)
      return false
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
  /** Returns whether the value is stored. */
  save: (field: Field, value: string | null) => Promise<boolean>
}

function Line({ field, label, save }: LineProps) {
  const id = useId()
  const stored = me.value?.[field] ?? ''
  const [typed, setTyped] = useState(stored)
  /** The last value that is stored, as far as this tab knows. */
  const known = useRef(stored)
  useEffect(() => {
    const before = known.current
    known.current = stored
    // Text that is being typed is newer than a name of another tab.
    setTyped(now => (now === before ? stored : now))
  }, [stored])
  const done = async () => {
    const value = typed.trim()
    setTyped(value)
    if (await save(field, value || null)) known.current = value
  }
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
