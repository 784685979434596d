import { useState } from 'preact/hooks'
import type { AccountPayload } from '#shared/domain/payloads/administration.ts'
import { maySetRole, ROLES, type Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { type Problem, useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { editAccount, makeAccount } from '../../net/requests/administration.ts'
import type { Failure } from '../../net/requests/failure.ts'
import { me } from '../../store/store.ts'
import { Field } from '../../ui/Field.tsx'
import { showToast } from '../../ui/feedback.ts'
import { Select } from '../../ui/Select.tsx'
import { ChannelChooser } from './ChannelChooser.tsx'
import { confirmed } from './open-confirmed.ts'

const LONGEST = { username: 32, display_name: 80, title: 80, email: 254 }
type FieldName = keyof typeof LONGEST

interface Props {
  /** Undefined for a new account. */
  account: AccountPayload | undefined
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
  const attempt = useClientId()
  const texts = strings.administration
  const given = (name: FieldName) => fields[name].trim() || null
  const profile = { display_name: given('display_name'), email: given('email') }

  const make = async () => {
    const draft = { ...profile, username: fields.username.trim(), role, channels }
    const made = await makeAccount({ ...draft, client_id: attempt.idOf(draft) })
    if (made.reset_url === null) showToast(texts.madeBefore(made.username))
    return { link: made.reset_url === null ? undefined : { name: made.username, url: made.reset_url } }
  }
  const edit = async (username: Username) => {
    await editAccount(username, { ...profile, title: given('title') })
    return { link: undefined }
  }
  const form = useSubmit({
    check: () =>
      !account && role === 'guest' && channels.length === 0 ? texts.guestNeedsChannel : undefined,
    async send() {
      const result = await confirmed(() => (account ? edit(account.username) : make()))
      if (result === undefined) return false
      saved(result.link)
    },
    whyNot: error => problemOf(error, account?.username ?? fields.username),
  })
  const field = (name: FieldName, label: string, hint?: string) => (
    <Field
      name={name}
      label={label}
      hint={hint}
      value={fields[name]}
      maxLength={LONGEST[name]}
      problem={form.problemOf(name)}
      set={value => {
        setFields({ ...fields, [name]: value })
        form.clear(name)
      }}
    />
  )
  return (
    <FormDialog
      title={account ? texts.editPerson(account.username) : texts.newAccount}
      close={close}
      form={form}
      label={account ? strings.save : texts.makeAccount}
    >
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
    </FormDialog>
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
function problemOf({ code, status, message }: Failure, name: string): Problem {
  const texts = strings.administration
  if (code === 'conflict') return { field: 'username', sentence: texts.nameTaken }
  const field = (Object.keys(LONGEST) as FieldName[]).find(one => message.startsWith(one))
  if (status === 400) {
    const sentence = field === 'email' ? texts.wrongEmail : field ? texts.wrongLine : texts.usernameRule
    return {
      field: field ?? 'username',
      sentence: field === 'username' ? texts.usernameRule : sentence,
    }
  }
  return { sentence: status === 403 ? texts.notAllowed(name) : texts.notDone(name) }
}
