import { useState } from 'preact/hooks'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { groupNamed } from '../../store/people/groups.ts'
import { me } from '../../store/store.ts'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { closePopover } from '../../ui/Popover.tsx'
import { editedGroup } from './group-state.ts'
import './groups.css'

/** Members rendered at a time. */
const DRAWN = 60

/** Name and members of a group. Members and administrators change them. */
export function GroupCard({ handle }: { handle: string }) {
  const [shown, setShown] = useState(DRAWN)
  const group = groupNamed(handle)
  const texts = strings.groups
  if (!group) return <p class="group-card-gone hint">{texts.gone(handle)}</p>
  const { name, members, mine } = group
  const mayChange = mine || me.value?.may.includes('administer')
  return (
    <div class="group-card">
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p class="hint">
        <bdi>@{group.handle}</bdi> · {texts.people(members.length)}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by the keyboard */}
      <ul class="group-card-people" tabIndex={0} aria-label={texts.members}>
        {members.slice(0, shown).map(person => (
          <li key={person} class="option">
            <Avatar name={person} size={24} presence />
            <PersonName name={person} />
          </li>
        ))}
        {shown < members.length && <ListEnd key={shown} more={() => setShown(shown + DRAWN)} />}
      </ul>
      {mayChange && (
        <button
          type="button"
          class="button"
          onClick={() => {
            closePopover()
            editedGroup.value = group
          }}
        >
          {texts.change}
        </button>
      )}
    </div>
  )
}
