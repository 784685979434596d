import { useRef, useState } from 'preact/hooks'
import { channelIdFromName } from '#shared/domain/channel-name.ts'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { PeopleField } from '../../common/PeopleField.tsx'
import { type Problem, useSubmit } from '../../common/use-submit.ts'
import { strings } from '../../i18n/i18n.ts'
import { changeGroup, makeGroup } from '../../net/people/groups.ts'
import { uuid } from '../../net/requests/uuid.ts'
import { me, viewer } from '../../store/store.ts'
import { Field } from '../../ui/Field.tsx'
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
  const [typedName, setName] = useState(group?.name ?? '')
  const [typedHandle, setHandle] = useState(group?.handle)
  const [members, setMembers] = useState<Username[]>(group?.members ?? [])
  /** The same for each attempt. */
  const id = useRef(uuid())

  const texts = strings.groups
  const name = typedName.trim()
  const handle = typedHandle ?? handleFrom(typedName)
  const isAdmin = me.value?.may.includes('administer')

  const form = useSubmit({
    check: () => faultOf(name, handle),
    send: () =>
      group
        ? changeGroup(group.handle, changeOf(group, name, handle, members))
        : makeGroup({ handle, name, members, client_id: id.current }),
    whyNot: ({ code }) =>
      code === 'conflict' ? { field: 'handle', sentence: texts.taken(handle) } : texts.notSaved,
    done: close,
  })
  return (
    <FormDialog
      title={group ? texts.changeOf(group.handle) : texts.make}
      close={close}
      form={form}
      label={group ? texts.save : texts.makeIt}
    >
      {isAdmin && (
        <>
          <Field
            name="name"
            label={texts.name}
            value={typedName}
            maxLength={LONGEST_NAME}
            problem={form.problemOf('name')}
            set={value => {
              setName(value)
              form.clear()
            }}
          />
          <Field
            name="handle"
            label={texts.handle}
            value={handle}
            maxLength={LONGEST_HANDLE}
            hint={texts.handleHint(handle || 'design')}
            problem={form.problemOf('handle')}
            set={value => {
              setHandle(value.replace(/^@/, ''))
              form.clear()
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
          onDone={() => void form.submit()}
          autofocus={!isAdmin}
        />
      </div>
    </FormDialog>
  )
}

function faultOf(name: string, handle: string): Problem | undefined {
  if (name === '') return { field: 'name', sentence: strings.groups.nameNeeded }
  return isUsername(handle) ? undefined : { field: 'handle', sentence: strings.groups.handleForm }
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
