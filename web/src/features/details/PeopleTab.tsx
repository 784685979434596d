import { useMemo, useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { presenceText } from '../../common/presence-text.ts'
import { PersonTag, StatusMark } from '../../common/StatusMark.tsx'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { isPrivate } from '../../store/names.ts'
import { displayNameOf, peopleVersion } from '../../store/people.ts'
import { peekPresence, presenceChanges } from '../../store/presence.ts'
import { compareNames, matchingPeople, nearestFirst } from '../../store/selectors.ts'
import { activeAmong, me, privateChannels, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { memo } from '../../ui/memo.ts'
import { openProfile } from '../people/open-profile.ts'
import { openPrivateChannelDialog } from '../private-channels/open-private-channels.ts'

/** People rendered at first, and added on scrolling near the end. */
const FIRST = 60
const MORE = 120
/** A shorter list is seen as a whole. */
const SEARCHED_FROM = 5

/** Members of the channel: active ones first (ui.md 9), then the others. A press opens the profile. */
export function PeopleTab({ channel }: { channel: Channel }) {
  const [shown, setShown] = useState(FIRST)
  const members = channel.members.value
  const [typed, setTyped] = useState('')
  void peopleVersion.value
  const all = [...members, viewer]
  // Sorted once per list, not with every change of presence.
  const byName = useMemo(
    () => matchingPeople(typed.trim(), all, [], displayNameOf).sort(compareNames),
    [members, typed, peopleVersion.value],
  )
  void presenceChanges.value
  const here = activeAmong(byName)
  const isHere = new Set(here)
  const away = nearestFirst(
    byName.filter(name => !isHere.has(name)),
    name => peekPresence(name) ?? 'offline',
  )
  const mayAdd =
    me.value?.role !== 'guest' &&
    isPrivate(channel.id) &&
    privateChannels.value.some(one => one.channel === channel.id)
  return (
    <>
      <div class="details-people-head">
        {all.length > SEARCHED_FROM && (
          <div class="input input-small">
            <Icon name="search" size={16} />
            <input
              type="search"
              value={typed}
              aria-label={strings.profileCard.find}
              placeholder={strings.profileCard.find}
              autocomplete="off"
              onInput={event => setTyped(event.currentTarget.value)}
            />
          </div>
        )}
        {mayAdd && (
          <button
            type="button"
            class="button"
            onClick={() => openPrivateChannelDialog({ kind: 'manage', channel: channel.id, focus: 'add' })}
          >
            <Icon name="user-plus" size={16} />
            {strings.privateDialog.add}
          </button>
        )}
      </div>
      <div class="panel-results">
        {byName.length === 0 && <p class="hint details-none">{strings.newDm.nobody}</p>}
        <PeopleList title={strings.people.here} names={here.slice(0, shown)} />
        <PeopleList title={strings.people.away} names={away.slice(0, Math.max(0, shown - here.length))} />
        {shown < byName.length && <ListEnd key={shown} more={() => setShown(shown + MORE)} />}
      </div>
    </>
  )
}

function PeopleList({ title, names }: { title: string; names: Username[] }) {
  if (names.length === 0) return null
  return (
    <section aria-label={title}>
      <div class="result-day">{title}</div>
      {names.map(name => (
        <PersonLine key={name} name={name} />
      ))}
    </section>
  )
}

const PersonLine = memo(
  ({ name }: { name: Username }) => (
    <button
      type="button"
      class="option"
      aria-haspopup="dialog"
      onClick={event => openProfile(event.currentTarget, name)}
    >
      <Avatar name={name} size={24} presence />
      <PersonName name={name} />
      <PersonTag name={name} />
      <StatusMark name={name} />
      <span class="grow" />
      <span class="option-detail">{name === viewer ? strings.people.you : presenceText(name)}</span>
    </button>
  ),
  (before, after) => before.name === after.name,
)
