import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { channelIdFromName } from '#shared/domain/channel-name.ts'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { PeopleField } from '../../common/PeopleField.tsx'
import { strings } from '../../i18n/i18n.ts'
import { changeGroup, makeGroup } from '../../net/people/groups.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { uuid } from '../../net/requests/uuid.ts'
import { me, viewer } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { editedGroup } from './group-state.ts'
import './groups.css'

const LONGEST_NAME = 80
const LONGEST_HANDLE = 32

/** Makes or changes a group. People who are not administrators change its members only. */
export function GroupDialog() {
  const edited = editedGroup.value
  if (edited === undefined) return null
  return <Form key={edited === 'new' ? '' : edited.handle} group={edited === 'new' ? undefined : edited} />
}

const close = () => {
  editedGroup.value = undefined
}

function Form({ group }: { group: GroupPayload | undefined }) {
  const [name, setName] = useState(group?.name ?? '')
  const [typedHandle, setHandle] = useState(group?.handle)
  const [members, setMembers] = useState<Username[]>(group?.members ?? [])
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  /** The same for each attempt. */
  const id = useRef(uuid())

  const texts = strings.groups
  const title = group ? texts.changeOf(group.handle) : texts.make
  const handle = typedHandle ?? handleFrom(name)
  const isAdmin = me.value?.may.includes('administer')

  const save = async () => {
    if (busy) return
    if (name.trim() === '') return setProblem(texts.nameNeeded)
    if (!isUsername(handle)) return setProblem(texts.handleForm)
    setBusy(true)
    setProblem('')
    try {
      if (group) await changeGroup(group.handle, changeOf(group, name.trim(), handle, members))
      else await makeGroup({ handle, name: name.trim(), members, client_id: id.current })
      return close()
    } catch (error) {
      tolerateFailure(error)
      setProblem(error.code === 'conflict' ? texts.taken(handle) : texts.notSaved)
    }
    setBusy(false)
  }
  return (
    <Dialog label={title} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{title}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      {isAdmin && (
        <>
          <Field
            label={texts.name}
            value={name}
            most={LONGEST_NAME}
            onInput={value => {
              setName(value)
              setProblem('')
            }}
            autofocus
          />
          <Field
            label={texts.handle}
            value={handle}
            most={LONGEST_HANDLE}
            hint={texts.handleHint(handle || 'design')}
            onInput={value => {
              setHandle(value.replace(/^@/, ''))
              setProblem('')
            }}
          />
        </>
      )}
      <div class="field">
        <div class="group-dialog-people">
          <span class="label">{texts.members}</span>
          {!members.includes(viewer) && (
            <button type="button" class="button-link" onClick={() => setMembers([...members, viewer])}>
              {texts.addMe}
            </button>
          )}
        </div>
        <PeopleField
          label={texts.members}
          chosen={members}
          onChange={setMembers}
          onDone={() => void save()}
          autofocus={!isAdmin}
        />
      </div>
      {problem && (
        <span class="error" role="alert">
          {problem}
        </span>
      )}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button type="button" class="button button-primary" aria-disabled={busy} onClick={() => void save()}>
          {group ? texts.save : texts.makeIt}
        </button>
      </div>
    </Dialog>
  )
}

/** As many of the characters as a handle may have; taken names are found by the server. */
const handleFrom = (name: string) => channelIdFromName(name).slice(0, LONGEST_HANDLE)

function changeOf(group: GroupPayload, name: string, handle: string, members: Username[]) {
  return {
    ...(name === group.name ? {} : { name }),
    ...(handle === group.handle ? {} : { handle }),
    add: members.filter(one => !group.members.includes(one)),
    remove: group.members.filter(one => !members.includes(one)),
  }
}

interface FieldProps {
  label: string
  value: string
  most: number
  hint?: string
  autofocus?: boolean
  onInput: (value: string) => void
}

function Field({ label, value, most, hint, autofocus = false, onInput }: FieldProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (autofocus) field.current?.focus()
  }, [])
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="input input-small">
        <input
          ref={field}
          id={id}
          value={value}
          maxLength={most}
          autocomplete="off"
          spellcheck={false}
          onInput={event => onInput(event.currentTarget.value)}
        />
      </div>
      {hint && <span class="hint">{hint}</span>}
    </div>
  )
}
