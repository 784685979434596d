import { useRef, useState } from 'preact/hooks'
import { ACCENT } from '#shared/domain/accent.ts'
import type { SettingPayload } from '#shared/domain/payloads/administration.ts'
import { strings } from '../../i18n/i18n.ts'
import { Select } from '../../ui/Select.tsx'

/** `unchanged`: the person gave up. */
export type Outcome = 'saved' | 'unchanged' | 'refused'

interface Props {
  id: string
  name: string
  describedBy: string
  setting: SettingPayload
  isWrong: boolean
  put: (value: unknown) => Promise<Outcome>
  /** Says why a value is not sent. */
  refuse: (sentence: string) => void
}

/** The control for the kind of a setting. */
export function SettingField(props: Props) {
  const { id, describedBy, setting, put } = props
  const { kind, value, choices = [] } = setting
  if (kind === 'flag')
    return (
      <button
        type="button"
        id={id}
        class="switch"
        role="switch"
        aria-checked={value === true}
        aria-describedby={describedBy}
        onClick={() => void put(value !== true)}
      />
    )
  if (kind === 'choice')
    return (
      <Select id={id} value={String(value)} aria-describedby={describedBy} choose={one => void put(one)}>
        {choices.map(one => (
          <option key={one} value={one}>
            {strings.workspaceSettings.choices[one] ?? one}
          </option>
        ))}
      </Select>
    )
  return <TextField {...props} />
}

/** Saved with Enter and on leaving; Escape brings the saved value back. */
function TextField({ id, describedBy, setting, isWrong, put, refuse }: Props) {
  const { key, kind, value } = setting
  const [typed, setTyped] = useState<string>()
  // The question for the password takes the focus from the field.
  const isSending = useRef(false)
  const texts = strings.workspaceSettings
  const saved = value === null ? '' : String(value)
  const text = typed ?? saved
  const send = async () => {
    if (typed === undefined || isSending.current) return
    if (typed.trim() === saved) return setTyped(undefined)
    const next = parsed(setting, typed)
    if (next === undefined) return refuse(problemOf(setting))
    isSending.current = true
    if ((await put(next)) !== 'refused') setTyped(undefined)
    isSending.current = false
  }
  return (
    <div class={isWrong ? 'input input-small is-error' : 'input input-small'}>
      {kind === 'color' && <ColorWell accent={text} pick={next => void put(next)} />}
      <input
        id={id}
        value={text}
        class={kind === 'number' ? 'setting-number tabular-numbers' : 'setting-words'}
        inputMode={kind === 'number' ? 'decimal' : 'text'}
        maxLength={kind === 'number' ? 12 : 80}
        placeholder={kind === 'color' ? '#016367' : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={isWrong}
        aria-describedby={describedBy}
        onInput={event => {
          setTyped(event.currentTarget.value)
          refuse('')
        }}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.isComposing) {
            // A question that opens at once must not take the key as its answer.
            event.preventDefault()
            void send()
          }
          if (event.key !== 'Escape' || typed === undefined) return
          event.stopPropagation()
          setTyped(undefined)
          refuse('')
        }}
        onBlur={() => !isWrong && void send()}
      />
      {texts.units[key] && <span class="hint">{texts.units[key]}</span>}
    </div>
  )
}

function ColorWell({ accent, pick }: { accent: string; pick: (accent: string) => void }) {
  return (
    <input
      type="color"
      class="setting-color"
      aria-label={strings.workspaceSettings.pickColor}
      value={ACCENT.test(accent) ? accent : '#016367'}
      onChange={event => pick(event.currentTarget.value)}
    />
  )
}

/** Undefined for a text that is no such value. */
function parsed({ kind, bounds }: SettingPayload, typed: string): unknown {
  const text = typed.trim()
  if (kind === 'number') {
    const number = Number(text.replace(',', '.'))
    return text === '' || !Number.isFinite(number) || !isWithin(bounds, number) ? undefined : number
  }
  if (kind === 'color') {
    const hex = `#${text.replace(/^#/, '').toLowerCase()}`
    return ACCENT.test(hex) ? hex : undefined
  }
  return text === '' ? undefined : text
}

/** As the server checks it. */
function isWithin(bounds: SettingPayload['bounds'], value: number): boolean {
  if (bounds === undefined || (value === 0 && bounds.orZero)) return true
  const { least, most, isAbove, isWhole } = bounds
  return (isAbove ? value > least : value >= least) && value <= most && (!isWhole || Number.isInteger(value))
}

function problemOf({ kind, bounds }: SettingPayload): string {
  const texts = strings.workspaceSettings
  if (kind === 'number') return bounds ? texts.needsNumber(bounds) : texts.outOfRange
  return kind === 'color' ? texts.needsColor : texts.needsText
}
