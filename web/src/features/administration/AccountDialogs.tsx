import { useState } from 'preact/hooks'
import type { AccountPayload } from '#shared/domain/payloads/administration.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import {
  actOnAccount,
  deleteAccountOf,
  endSessions,
  renameAccount,
} from '../../net/requests/administration.ts'
import { Field } from '../../ui/Field.tsx'
import { showToast } from '../../ui/feedback.ts'
import { act } from './act.ts'
import { confirmed } from './open-confirmed.ts'

interface Props {
  account: AccountPayload
  close: () => void
  changed: () => void
}

/** Scripts go on without a session: whether tokens end too is a choice. */
export function EndSessionsDialog({ account: { username, sessions }, close, changed }: Props) {
  const [tokens, setTokens] = useState(false)
  const texts = strings.administration
  const form = useSubmit({
    send: () => act(() => endSessions(username, tokens), username),
    done() {
      close()
      changed()
    },
  })
  return (
    <FormDialog
      title={texts.endSessionsOf(username)}
      close={close}
      form={form}
      label={texts.endThem}
      danger
      narrow
    >
      <p class="dialog-text">{texts.endsSessions(sessions)}</p>
      <label class="admin-check">
        <input type="checkbox" checked={tokens} onChange={event => setTokens(event.currentTarget.checked)} />
        <span>
          {texts.endTokens}
          <span class="hint admin-note">{texts.endTokensHint}</span>
        </span>
      </label>
    </FormDialog>
  )
}

/** Asks before sessions end, and says how many. Undo brings the account back. */
export function DeactivateDialog({ account: { username, sessions }, close, changed }: Props) {
  const texts = strings.administration
  const reactivate = () => void act(() => actOnAccount(username, 'reactivate'), username, changed)
  const form = useSubmit({
    send: () => act(() => actOnAccount(username, 'deactivate'), username),
    done() {
      showToast(texts.isDeactivated(username), { action: { label: strings.undo, run: reactivate } })
      close()
      changed()
    },
  })
  return (
    <FormDialog
      title={texts.deactivateName(username)}
      close={close}
      form={form}
      label={texts.deactivate}
      danger
      narrow
    >
      <p class="dialog-text">
        {texts.endsSessions(sessions)} {texts.deactivateMore}
      </p>
    </FormDialog>
  )
}

const DELETIONS = ['soft', 'hard'] as const

/** The account is deleted once its name is typed, so that it is not done in place of deactivating. */
export function DeleteAccountDialog({ account: { username }, close, changed }: Props) {
  const [type, setType] = useState<'soft' | 'hard'>('soft')
  const [typed, setTyped] = useState('')
  const texts = strings.administration
  const form = useSubmit({
    check: () =>
      typed.trim() === username ? undefined : { field: 'username', sentence: texts.typeName(username) },
    send: () => act(() => deleteAccountOf(username, type), username),
    done() {
      showToast(texts.isDeleted(username))
      close()
      changed()
    },
  })
  return (
    <FormDialog
      title={texts.deleteName(username)}
      close={close}
      form={form}
      label={texts.deleteAccount}
      danger
      narrow
    >
      <p class="dialog-text">{texts.deleteMore}</p>
      <fieldset class="admin-modes">
        <legend class="label">{texts.deleteMessages}</legend>
        {DELETIONS.map(one => (
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
        problem={form.problemOf('username')}
        set={text => {
          setTyped(text)
          form.clear()
        }}
      />
    </FormDialog>
  )
}

/** The server renames after its answer; the list follows when it is done. */
export function RenameDialog({ account: { username }, close, changed }: Props) {
  const [typed, setTyped] = useState(username)
  const wanted = typed.trim()
  const texts = strings.administration
  const rename = async () => {
    if (wanted === username) return
    if (!(await confirmed(() => renameAccount(username, wanted)))) return false
    showToast(texts.isRenamed(username, wanted))
    changed()
  }
  const form = useSubmit({
    send: rename,
    whyNot({ code, status }) {
      const field = 'username'
      if (code === 'conflict') return { field, sentence: texts.nameTaken }
      if (status === 400) return { field, sentence: texts.usernameRule }
      return { field, sentence: status === 403 ? texts.notAllowed(username) : texts.notDone(username) }
    },
    done: close,
  })
  return (
    <FormDialog title={texts.renameName(username)} close={close} form={form} label={texts.rename} narrow>
      <p class="dialog-text">{texts.renameMore}</p>
      <Field
        name="username"
        label={texts.newName}
        value={typed}
        maxLength={32}
        problem={form.problemOf('username')}
        set={text => {
          setTyped(text)
          form.clear()
        }}
      />
    </FormDialog>
  )
}
