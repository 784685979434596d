import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { presenceText } from '../../common/presence-text.ts'
import { PersonTag, StatusMark } from '../../common/StatusMark.tsx'
import { strings } from '../../i18n/i18n.ts'
import { type Channel, current } from '../../store/channels.ts'
import { isPrivate } from '../../store/names.ts'
import { displayNameOf, peopleVersion } from '../../store/people.ts'
import { peekPresence, presenceChanges } from '../../store/presence.ts'
import { compareNames, matchingPeople, nearestFirst } from '../../store/selectors.ts'
import { activeAmong, me, panel, privateChannels, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { memo } from '../../ui/memo.ts'
import { openPrivateChannelDialog } from '../private-channels/open-private-channels.ts'
import { AboutChannel } from './AboutChannel.tsx'
import { openProfile } from './open-profile.ts'

/** People rendered at first, and added on scrolling near the end. */
const FIRST = 60
const MORE = 120
/** A shorter list is seen as a whole. */
const SEARCHED_FROM = 5

/** Members of the channel: active ones first (ui.md 9), then the others. A press opens the profile. */
export function PeoplePanel() {
  const channel = current.value
  return channel ? <People channel={channel} /> : null
}

function People({ channel }: { channel: Channel }) {
  const closer = useRef<HTMLButtonElement>(null)
  useEffect(() => closer.current?.focus(), [])
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
  const isMine = isPrivate(channel.id) && privateChannels.value.some(one => one.channel === channel.id)
  return (
    <aside class="panel" aria-label={strings.people.title} data-region="panel">
      <div class="panel-head">
        <h2>{strings.people.title}</h2>
        <span class="hint tabular-numbers">{all.length}</span>
        <IconButton
          icon="x"
          label={strings.people.close}
          ref={closer}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      {isMine && <OfPrivate channel={channel.id} />}
      {channel.info.value?.kind === 'public' && <AboutChannel info={channel.info.value} />}
      {all.length > SEARCHED_FROM && (
        <div class="input people-panel-find">
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
      <div class="panel-results">
        {byName.length === 0 && <p class="hint people-panel-none">{strings.newDm.nobody}</p>}
        <PeopleList title={strings.people.here} names={here.slice(0, shown)} />
        <PeopleList title={strings.people.away} names={away.slice(0, Math.max(0, shown - here.length))} />
        {shown < byName.length && <ListEnd key={shown} more={() => setShown(shown + MORE)} />}
      </div>
    </aside>
  )
}

/** Actions open to every member of a private channel; guests only leave. */
function OfPrivate({ channel }: { channel: ChannelId }) {
  return (
    <div class="people-panel-actions">
      {me.value?.role !== 'guest' && (
        <>
          <button
            type="button"
            class="button"
            onClick={() => openPrivateChannelDialog({ kind: 'manage', channel, focus: 'add' })}
          >
            <Icon name="user-plus" size={16} />
            {strings.privateDialog.add}
          </button>
          <button
            type="button"
            class="button"
            onClick={() => openPrivateChannelDialog({ kind: 'manage', channel, focus: 'name' })}
          >
            {strings.privateDialog.rename}
          </button>
        </>
      )}
      <button
        type="button"
        class="button button-quiet button-danger-text"
        onClick={() => openPrivateChannelDialog({ kind: 'leave', channel })}
      >
        {strings.privateDialog.leaveShort}
      </button>
    </div>
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
