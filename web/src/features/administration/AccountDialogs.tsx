import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import {
  type Account,
  actOnAccount,
  deleteAccountOf,
  renameAccount,
} from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { showToast } from '../../ui/feedback.ts'
import { act } from './act.ts'
import { confirmed } from './confirmed.ts'
import { Field } from './Field.tsx'

interface Props {
  account: Account
  close: () => void
  changed: () => void
}

/** Asks before sessions end, and says how many. Undo brings the account back. */
export function DeactivateDialog({ account: { username, sessions }, close, changed }: Props) {
  const texts = strings.administration
  const reactivate = () => void act(() => actOnAccount(username, 'reactivate'), username, changed)
  const run = () =>
    void act(
      () => actOnAccount(username, 'deactivate'),
      username,
      () => {
        showToast(texts.isDeactivated(username), { action: { label: strings.undo, run: reactivate } })
        close()
        changed()
      },
    )
  return (
    <Question title={texts.deactivateName(username)} close={close} label={texts.deactivate} run={run}>
      <p class="dialog-text">
        {texts.endsSessions(sessions)} {texts.deactivateMore}
      </p>
    </Question>
  )
}

/** The account is deleted once its name is typed, so that it is not done in place of deactivating. */
export function DeleteAccountDialog({ account: { username }, close, changed }: Props) {
  const [type, setType] = useState<'soft' | 'hard'>('soft')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState('')
  const texts = strings.administration
  const run = () => {
    if (typed.trim() !== username) return setProblem(texts.typeName(username))
    void act(
      () => deleteAccountOf(username, type),
      username,
      () => {
        showToast(texts.isDeleted(username))
        close()
        changed()
      },
    )
  }
  return (
    <Question title={texts.deleteName(username)} close={close} label={texts.deleteAccount} run={run}>
      <p class="dialog-text">{texts.deleteMore}</p>
      <fieldset class="admin-modes">
        <legend class="label">{texts.deleteMessages}</legend>
        {(['soft', 'hard'] as const).map(one => (
          <label key={one} class={one === type ? 'choice-card is-on' : 'choice-card'}>
            <input
              type="radio"
              name="deletion"
              class="visually-hidden"
              checked={one === type}
              onChange={() => setType(one)}
            />
            <span>
              <b>{texts.deletions[one].name}</b>
              <span class="hint">{texts.deletions[one].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        name="username"
        label={texts.typeName(username)}
        value={typed}
        maxLength={32}
        problem={problem}
        set={text => {
          setTyped(text)
          setProblem('')
        }}
      />
    </Question>
  )
}

/** The server renames after its answer; the list follows when it is done. */
export function RenameDialog({ account: { username }, close, changed }: Props) {
  const [typed, setTyped] = useState(username)
  const [problem, setProblem] = useState('')
  const texts = strings.administration
  const run = async () => {
    const wanted = typed.trim()
    if (wanted === username) return close()
    try {
      if (!(await confirmed(() => renameAccount(username, wanted)))) return
      showToast(texts.isRenamed(username, wanted))
      close()
      changed()
    } catch (error) {
      tolerateFailure(error)
      const { code, status } = error
      if (code === 'conflict') setProblem(texts.nameTaken)
      else if (status === 400) setProblem(texts.usernameRule)
      else setProblem(status === 403 ? texts.notAllowed(username) : texts.notDone(username))
    }
  }
  return (
    <Question
      title={texts.renameName(username)}
      close={close}
      label={texts.rename}
      run={() => void run()}
      safe
    >
      <p class="dialog-text">{texts.renameMore}</p>
      <Field
        name="username"
        label={texts.newName}
        value={typed}
        maxLength={32}
        problem={problem}
        set={text => {
          setTyped(text)
          setProblem('')
        }}
      />
    </Question>
  )
}

interface QuestionProps {
  title: string
  /** The words on the button that acts. */
  label: string
  run: () => void
  close: () => void
  /** Nothing is lost: the button is not red. */
  safe?: boolean
  children: ComponentChildren
}

/** A dialog whose first field has the focus; without one, Cancel. */
function Question({ title, label, run, close, safe, children }: QuestionProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(
    () => form.current?.querySelector<HTMLElement>('input:not([type=radio]), .dialog-foot button')?.focus(),
    [],
  )
  return (
    <Dialog label={title} onClose={close} narrow>
      <form
        class="admin-form"
        ref={form}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          run()
        }}
      >
        <h2 class="dialog-title">{title}</h2>
        {children}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={close}>
            {strings.cancel}
          </button>
          <button type="submit" class={safe ? 'button button-primary' : 'button button-danger'}>
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
