import { useEffect, useState } from 'preact/hooks'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import { FormDialog } from '../../common/FormDialog.tsx'
import { strings } from '../../i18n/i18n.ts'
import { deleteGroup } from '../../net/people/groups.ts'
import { loadGroups } from '../../net/people/load-groups.ts'
import { groups } from '../../store/people/groups.ts'
import { displayed } from '../../store/people/people.ts'
import { Icon } from '../../ui/Icon.tsx'
import { editedGroup } from '../groups/open-groups.ts'
import { act } from './act.ts'
import { PageFrame } from './PageFrame.tsx'

/** The groups by handle, to make, change and delete. */
export function GroupsPage() {
  const [deleting, setDeleting] = useState<GroupPayload>()
  useEffect(() => void loadGroups(), [])
  const texts = strings.groups
  const make = (
    <button
      type="button"
      class="button button-primary"
      onClick={() => {
        editedGroup.value = 'new'
      }}
    >
      <Icon name="plus" size={16} />
      {texts.make}
    </button>
  )
  return (
    <PageFrame beside={make}>
      <p class="hint">{texts.about}</p>
      <ul class="admin-list">
        {groups.value.map(group => (
          <li key={group.handle} class="admin-row">
            <div>
              <bdi>
                <b>@{group.handle}</b> {group.name}
              </bdi>
              <span class="hint">{peopleIn(group)}</span>
            </div>
            <button
              type="button"
              class="button"
              aria-label={texts.changeOf(group.handle)}
              onClick={() => {
                editedGroup.value = group
              }}
            >
              {texts.change}
            </button>
            <button
              type="button"
              class="button button-quiet button-danger-text"
              aria-label={texts.deleteOf(group.handle)}
              onClick={() => setDeleting(group)}
            >
              {strings.delete}
            </button>
          </li>
        ))}
      </ul>
      {groups.value.length === 0 && <p class="hint">{texts.none}</p>}
      {deleting && <DeleteGroup handle={deleting.handle} close={() => setDeleting(undefined)} />}
    </PageFrame>
  )
}

const NAMED = 5

function peopleIn({ members }: GroupPayload): string {
  const texts = strings.groups
  if (members.length === 0) return texts.nobody
  return members.length > NAMED
    ? texts.people(members.length)
    : strings.systemMessage.names(members.map(displayed))
}

function DeleteGroup({ handle, close }: { handle: string; close: () => void }) {
  const texts = strings.groups
  const run = () => {
    close()
    void act(() => deleteGroup(handle), `@${handle}`)
  }
  return (
    <FormDialog
      title={`${texts.deleteOf(handle)}?`}
      close={close}
      form={run}
      label={strings.delete}
      danger
      narrow
      ready
    >
      <p class="dialog-text">{texts.deleteMore}</p>
    </FormDialog>
  )
}
