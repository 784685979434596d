import { signal } from '@preact/signals'
import { useEffect, useId, useState } from 'preact/hooks'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { forgetPerson } from '../../net/account/forget-person.ts'
import { deleteAccount } from '../../net/requests/account-endpoints.ts'
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
  const [choice, setChoice] = useState<Choice>('soft')
  useEffect(
    () => () => {
      password.value = ''
    },
    [],
  )
  const form = useSubmit({
    check: () => (password.value === '' ? { field: 'password', sentence: texts.missing } : undefined),
    send: () => deleteAccount(choice, password.value),
    whyNot: ({ status }) => ({ field: 'password', sentence: status === 403 ? texts.wrong : texts.failed }),
    done() {
      settingsPage.value = undefined
      forgetPerson()
    },
  })

  return (
    <>
      <div class="settings-body">
        <form ref={form.element} id={id} class="settings-form" onSubmit={form.onSubmit} noValidate>
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
            problem={form.problemOf('password') || undefined}
          />
          <p class="hint">{texts.more}</p>
        </form>
      </div>
      <Foot note={form.busy ? texts.running : undefined}>
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button type="submit" form={id} class="button button-danger" aria-disabled={form.busy}>
          <Icon name="trash" size={16} />
          {texts.run}
        </button>
      </Foot>
    </>
  )
}
