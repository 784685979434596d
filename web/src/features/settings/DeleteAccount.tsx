import { signal } from '@preact/signals'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { forgetPerson } from '../../net/account/forget-person.ts'
import { deleteAccount } from '../../net/requests/account-endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { Icon } from '../../ui/Icon.tsx'
import { settingsPage } from './open-settings.ts'
import { AccountName, PasswordField } from './PasswordField.tsx'
import { Foot } from './rows.tsx'
import './DeleteAccount.css'

type Choice = 'soft' | 'hard'

const password = signal('')

export function DeleteAccount({ close }: { close: () => void }) {
  const texts = strings.deleteAccount
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const [choice, setChoice] = useState<Choice>('soft')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  useEffect(
    () => () => {
      password.value = ''
    },
    [],
  )
  const fail = (text: string) => {
    setProblem(text)
    setBusy(false)
    form.current?.querySelector<HTMLElement>('[name="password"]')?.focus()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    if (password.value === '') return fail(texts.missing)
    setProblem(undefined)
    setBusy(true)
    try {
      await deleteAccount(choice, password.value)
      settingsPage.value = undefined
      forgetPerson()
    } catch (error) {
      tolerateFailure(error)
      fail(error.status === 403 ? texts.wrong : texts.failed)
    }
  }

  return (
    <>
      <div class="settings-body">
        <form ref={form} id={id} class="settings-form" onSubmit={submit} noValidate>
          <fieldset class="choices">
            <legend class="visually-hidden">{texts.choices}</legend>
            {(['soft', 'hard'] as const).map(value => (
              <label key={value} class="choice">
                <input
                  type="radio"
                  class="visually-hidden"
                  name="type"
                  checked={choice === value}
                  aria-describedby={`${id}-${value}`}
                  onChange={() => setChoice(value)}
                />
                <span class="choice-mark" />
                <span>
                  <b>{texts[value]}</b>
                  <small id={`${id}-${value}`}>{texts[`${value}More`]}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <AccountName />
          <PasswordField
            label={texts.password}
            name="password"
            autocomplete="current-password"
            value={password}
            problem={problem}
          />
          <p class="hint">{texts.more}</p>
        </form>
      </div>
      <Foot note={isBusy ? texts.running : undefined}>
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button type="submit" form={id} class="button button-danger" aria-disabled={isBusy}>
          <Icon name="trash" size={16} />
          {texts.run}
        </button>
      </Foot>
    </>
  )
}
