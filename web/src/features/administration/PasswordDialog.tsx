import { useEffect, useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { confirmPassword } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { viewer } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { passwordAsked } from './open-administration.ts'

/** Asks for the password before an act that ends or grants access. */
export function PasswordDialog() {
  const answer = passwordAsked.peek()!
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const texts = strings.administration

  const confirm = async (event: Event) => {
    event.preventDefault()
    if (busy || password === '') return
    setBusy(true)
    try {
      await confirmPassword(password)
      answer(true)
    } catch (error) {
      tolerateFailure(error)
      setProblem(error.status === 403 ? texts.wrongPassword : texts.notConfirmed)
      setBusy(false)
      field.current?.select()
    }
  }
  return (
    <Dialog label={texts.isItYou} onClose={() => answer(false)} narrow>
      <form onSubmit={confirm}>
        <h2 class="dialog-title">{texts.isItYou}</h2>
        <p class="dialog-text">{texts.isItYouMore}</p>
        <input type="text" name="username" autocomplete="username" value={viewer} readOnly hidden />
        <div class="field">
          <label for="confirm-password">{texts.password}</label>
          <div class={problem ? 'input is-error' : 'input'}>
            <input
              ref={field}
              id="confirm-password"
              type="password"
              autocomplete="current-password"
              value={password}
              aria-invalid={problem !== ''}
              aria-describedby={problem ? 'confirm-problem' : undefined}
              onInput={event => {
                setPassword(event.currentTarget.value)
                setProblem('')
              }}
            />
          </div>
          {problem && (
            <span class="error" id="confirm-problem" role="alert">
              <Icon name="alert" size={16} />
              {problem}
            </span>
          )}
        </div>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={() => answer(false)}>
            {strings.cancel}
          </button>
          <button type="submit" class="button button-primary" aria-disabled={busy}>
            {texts.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
