import { useState } from 'preact/hooks'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { confirmPassword } from '../../net/requests/administration.ts'
import { viewer } from '../../store/store.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { passwordAsked } from './open-administration.ts'

/** Asks for the password before an act that ends or grants access. */
export function PasswordDialog() {
  const answer = passwordAsked.peek()!
  const [password, setPassword] = useState('')
  const texts = strings.administration
  const form = useSubmit({
    send: () => confirmPassword(password),
    whyNot: ({ status }) => ({
      field: 'password',
      sentence: status === 403 ? texts.wrongPassword : texts.notConfirmed,
    }),
    done: () => answer(true),
  })
  const problem = form.problemOf('password')
  return (
    <FormDialog
      title={texts.isItYou}
      close={() => answer(false)}
      form={form}
      label={texts.confirm}
      narrow
      incomplete={password === ''}
    >
      <p class="dialog-text">{texts.isItYouMore}</p>
      <input type="text" name="username" autocomplete="username" value={viewer} readOnly hidden />
      <div class="field">
        <label for="confirm-password">{texts.password}</label>
        <div class={problem ? 'input is-error' : 'input'}>
          <input
            id="confirm-password"
            name="password"
            type="password"
            autocomplete="current-password"
            value={password}
            aria-invalid={problem !== ''}
            aria-describedby={problem ? 'confirm-problem' : undefined}
            onInput={event => {
              setPassword(event.currentTarget.value)
              form.clear()
            }}
          />
        </div>
        {problem && <ErrorLine id="confirm-problem">{problem}</ErrorLine>}
      </div>
    </FormDialog>
  )
}
