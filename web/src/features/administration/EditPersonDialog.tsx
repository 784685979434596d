import { useEffect, useRef, useState } from 'preact/hooks'
import { maySetRole, ROLES, type Role } from '#shared/domain/roles.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { useClientId } from '../../common/use-client-id.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Account, editAccount, makeAccount } from '../../net/requests/administration.ts'
import { type Failure, tolerateFailure } from '../../net/requests/failure.ts'
import { me } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { showToast } from '../../ui/feedback.ts'
import { Select } from '../../ui/Select.tsx'
import { ChannelChooser } from './ChannelChooser.tsx'
import { confirmed } from './confirmed.ts'
import { Field } from './Field.tsx'

const LONGEST = { username: 32, display_name: 80, title: 80, email: 254 }
type FieldName = keyof typeof LONGEST

interface Props {
  /** Undefined for a new account. */
  account: Account | undefined
  close: () => void
  /** `link`: sets the password of a new account. */
  saved: (link?: { name: string; url: string }) => void
}

/** Display name, title and address of a person; for a new account also its name, role and channels. */
export function EditPersonDialog({ account, close, saved }: Props) {
  const [fields, setFields] = useState<Record<FieldName, string>>({
    username: '',
    display_name: account?.display_name ?? '',
    title: account?.title ?? '',
    email: account?.email ?? '',
  })
  const [role, setRole] = useState<Role>('member')
  const [channels, setChannels] = useState<ChannelId[]>([])
  const [problem, setProblem] = useState<{ field?: FieldName | undefined; sentence: string }>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const attempt = useClientId()
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const texts = strings.administration
  const title = account ? texts.editPerson(account.username) : texts.newAccount

  const save = async (event: Event) => {
    event.preventDefault()
    if (busy) return
    if (!account && role === 'guest' && channels.length === 0)
      return setProblem({ sentence: texts.guestNeedsChannel })
    setBusy(true)
    setProblem(undefined)
    const given = (name: FieldName) => fields[name].trim() || null
    const profile = { display_name: given('display_name'), email: given('email') }
    try {
      const link = await confirmed(async () => {
        if (account) {
          await editAccount(account.username, { ...profile, title: given('title') })
          return null
        }
        const draft = { ...profile, username: fields.username.trim(), role, channels }
        const made = await makeAccount({ ...draft, client_id: attempt.idOf(draft) })
        if (made.reset_url === null) showToast(texts.madeBefore(made.username))
        return made.reset_url === null ? null : { name: made.username, url: made.reset_url }
      })
      if (link !== undefined) return saved(link ?? undefined)
    } catch (error) {
      tolerateFailure(error)
      const refusal = problemOf(error, account?.username ?? fields.username)
      setProblem(refusal)
      if (refusal.field) form.current?.querySelector<HTMLElement>(`[name=${refusal.field}]`)?.focus()
    }
    setBusy(false)
  }
  const field = (name: FieldName, label: string, hint?: string) => (
    <Field
      name={name}
      label={label}
      hint={hint}
      value={fields[name]}
      maxLength={LONGEST[name]}
      problem={problem?.field === name ? problem.sentence : ''}
      set={value => {
        setFields({ ...fields, [name]: value })
        if (problem?.field === name) setProblem(undefined)
      }}
    />
  )
  return (
    <Dialog label={title} onClose={close}>
      <form class="admin-form" onSubmit={save} ref={form} noValidate>
        <h2 class="dialog-title">{title}</h2>
        {!account && <p class="dialog-text">{texts.newAccountMore}</p>}
        {!account && field('username', texts.username)}
        {field('display_name', texts.displayName, texts.displayNameHint)}
        {account && field('title', texts.jobTitle)}
        {field('email', texts.email)}
        {!account && <RoleChoice role={role} setRole={setRole} />}
        {!account && (
          <ChannelChooser
            legend={role === 'guest' ? texts.guestChannels : texts.startIn}
            chosen={channels}
            onChange={setChannels}
          />
        )}
        {problem && !problem.field && (
          <span class="error" role="alert">
            {problem.sentence}
          </span>
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={close}>
            {strings.cancel}
          </button>
          <button type="submit" class="button button-primary" aria-disabled={busy}>
            {account ? strings.save : texts.makeAccount}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function RoleChoice({ role, setRole }: { role: Role; setRole: (role: Role) => void }) {
  const own = me.value?.role ?? 'member'
  const texts = strings.administration
  return (
    <div class="field">
      <label for="new-role">{texts.role}</label>
      <Select id="new-role" value={role} choose={one => setRole(one as Role)}>
        {ROLES.filter(one => maySetRole(own, 'member', one)).map(one => (
          <option key={one} value={one}>
            {texts.roles[one]}
          </option>
        ))}
      </Select>
    </div>
  )
}

/** The server's sentence begins with the field, whose reason is told in the language of the client. */
function problemOf({ code, status, message }: Failure, name: string) {
  const texts = strings.administration
  if (code === 'conflict') return { field: 'username' as const, sentence: texts.nameTaken }
  const field = (Object.keys(LONGEST) as FieldName[]).find(one => message.startsWith(one))
  if (status === 400) {
    const sentence = field === 'email' ? texts.wrongEmail : field ? texts.wrongLine : texts.usernameRule
    return {
      field: field ?? ('username' as const),
      sentence: field === 'username' ? texts.usernameRule : sentence,
    }
  }
  return { sentence: status === 403 ? texts.notAllowed(name) : texts.notDone(name) }
}
