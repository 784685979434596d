import { signal } from '@preact/signals'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { SHOWN_PASSWORD_RULES, unmetPasswordRules } from '#shared/domain/password.ts'
import { strings } from '../../i18n/i18n.ts'
import { changePassword } from '../../net/requests/account-endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { Icon } from '../../ui/Icon.tsx'
import { AccountName, PasswordField } from './PasswordField.tsx'
import { Foot } from './rows.tsx'
import './Password.css'

/** The maximum length is shown only when exceeded. */
const RULES = [...SHOWN_PASSWORD_RULES, 'match'] as const

const current = signal('')
const next = signal('')
const repeated = signal('')

export function Password({ close }: { close: () => void }) {
  const texts = strings.password
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [shown, setShown] = useState(false)
  const [asked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ at: 'current' | 'next' | 'form'; text: string }>()
  const [note, setNote] = useState('')
  const unmet = unmetPasswordRules(next.value, repeated.value)
  useEffect(() => forget, [])

  const fail = (at: 'current' | 'next' | 'form', text: string) => {
    setProblem({ at, text })
    const field = { current: 'current_password', next: 'new_password', form: 'new_password' }[at]
    form.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setAsked(true)
    setNote('')
    if (current.value === '') return fail('current', texts.missing)
    if (unmet.length > 0) return fail('next', texts.unmet)
    setProblem(undefined)
    setBusy(true)
    try {
      await changePassword(current.value, next.value, repeated.value)
      forget()
      setAsked(false)
      setNote(texts.changed)
    } catch (error) {
      tolerateFailure(error)
      if (error.status === 400) fail('current', texts.wrong)
      else fail('form', error.status === 429 ? texts.tooMany : texts.failed)
    } finally {
      setBusy(false)
    }
  }
  const rules = unmet.includes('longest') ? ([...RULES, 'longest'] as const) : RULES
  const isEmpty = next.value === '' && repeated.value === ''

  return (
    <>
      <div class="settings-body">
        <form ref={form} id={id} class="settings-form" onSubmit={submit} noValidate>
          <AccountName />
          <PasswordField
            label={texts.current}
            name="current_password"
            autocomplete="current-password"
            value={current}
            shown={shown}
            problem={problem?.at === 'current' ? problem.text : undefined}
          />
          <PasswordField
            label={texts.next}
            name="new_password"
            autocomplete="new-password"
            value={next}
            shown={shown}
            problem={problem?.at === 'next' && unmet.length > 0 ? problem.text : undefined}
            describedBy={`${id}-rules`}
          />
          <ul id={`${id}-rules`} class="password-rules">
            {rules.map(rule => {
              const isMet = !unmet.includes(rule) && !(rule === 'match' && isEmpty)
              return (
                <li key={rule} class={`password-rule${isMet ? ' is-met' : asked ? ' is-unmet' : ''}`}>
                  <span class="password-rule-mark">{isMet && <Icon name="check" size={14} />}</span>
                  <span>{texts.rules[rule]}</span>
                  <span class="visually-hidden">, {isMet ? texts.met : texts.notMet}</span>
                </li>
              )
            })}
          </ul>
          <PasswordField
            label={texts.repeat}
            name="confirm_password"
            autocomplete="new-password"
            value={repeated}
            shown={shown}
          />
          <label class="settings-check">
            <input
              type="checkbox"
              checked={shown}
              onChange={event => setShown(event.currentTarget.checked)}
            />
            {texts.show}
          </label>
          <p class="hint">{texts.note}</p>
          {problem?.at === 'form' && (
            <p class="error" role="alert">
              <Icon name="alert" size={16} />
              {problem.text}
            </p>
          )}
        </form>
      </div>
      <Foot note={note}>
        <button type="button" class="button" onClick={close}>
          {strings.settings.done}
        </button>
        <button type="submit" form={id} class="button button-primary" aria-disabled={isBusy}>
          {texts.change}
        </button>
      </Foot>
    </>
  )
}

function forget() {
  current.value = ''
  next.value = ''
  repeated.value = ''
}
