import { signal } from '@preact/signals'
import { useEffect, useId, useState } from 'preact/hooks'
import { SHOWN_PASSWORD_RULES, unmetPasswordRules } from '#shared/domain/password.ts'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { changePassword } from '../../net/requests/account-endpoints.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
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
  const [shown, setShown] = useState(false)
  const [asked, setAsked] = useState(false)
  const [note, setNote] = useState('')
  const unmet = unmetPasswordRules(next.value, repeated.value)
  useEffect(() => forget, [])

  const form = useSubmit({
    check() {
      setAsked(true)
      setNote('')
      if (current.value === '') return { field: 'current_password', sentence: texts.missing }
      return unmet.length > 0 ? { field: 'new_password', sentence: texts.unmet } : undefined
    },
    send: () => changePassword(current.value, next.value, repeated.value),
    whyNot({ status }) {
      if (status === 400) return { field: 'current_password', sentence: texts.wrong }
      return status === 429 ? texts.tooMany : texts.failed
    },
    done() {
      forget()
      setAsked(false)
      setNote(texts.changed)
    },
  })
  const rules = unmet.includes('longest') ? ([...RULES, 'longest'] as const) : RULES
  const isEmpty = next.value === '' && repeated.value === ''

  return (
    <>
      <div class="settings-body">
        <form ref={form.element} id={id} class="settings-form" onSubmit={form.onSubmit} noValidate>
          <AccountName />
          <PasswordField
            label={texts.current}
            name="current_password"
            autocomplete="current-password"
            value={current}
            shown={shown}
            problem={form.problemOf('current_password') || undefined}
          />
          <PasswordField
            label={texts.next}
            name="new_password"
            autocomplete="new-password"
            value={next}
            shown={shown}
            problem={(unmet.length > 0 && form.problemOf('new_password')) || undefined}
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
          {form.problem && !form.problem.field && <ErrorLine>{form.problem.sentence}</ErrorLine>}
        </form>
      </div>
      <Foot note={note}>
        <button type="button" class="button" onClick={close}>
          {strings.settings.done}
        </button>
        <button type="submit" form={id} class="button button-primary" aria-disabled={form.busy}>
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
