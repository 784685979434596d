import { useMemo, useState } from 'preact/hooks'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { presenceText } from '../../common/presence-text.ts'
import { PersonTag, RoleTag, StatusMark } from '../../common/StatusMark.tsx'
import { strings } from '../../i18n/i18n.ts'
import { removeFromChannel, setManager } from '../../net/channels/channel-members.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { isPrivate } from '../../store/channels/names.ts'
import { compareNames, matchingPeople, nearestFirst } from '../../store/messages/selectors.ts'
import { displayed, displayNameOf, peekPerson, peopleVersion, statusOf } from '../../store/people/people.ts'
import { peekPresence, presenceChanges } from '../../store/people/presence.ts'
import { activeAmong, me, privateChannels, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { memo } from '../../ui/memo.ts'
import { openPopover } from '../../ui/Popover.tsx'
import { openProfile } from '../people/open-profile.ts'
import { openAddPeople } from './open-details.ts'
import { useChannelPeople } from './use-channel-people.ts'

/** People rendered at first, and added on scrolling near the end. */
const FIRST = 60
const MORE = 120
/** A shorter list is seen as a whole. */
const SEARCHED_FROM = 5

/** People of the channel: active ones first (ui.md 9), then the others, then its bots. A press opens the profile. */
export function PeopleTab({ channel }: { channel: Channel }) {
  const [shown, setShown] = useState(FIRST)
  const [typed, setTyped] = useState('')
  void peopleVersion.value
  const all = useChannelPeople(channel)
  // Sorted once per list, not with every change of presence.
  const byName = useMemo(
    () => matchingPeople(typed.trim(), [...all], [], displayNameOf).sort(compareNames),
    [all.join('\n'), typed, peopleVersion.value],
  )
  void presenceChanges.value
  const bots = byName.filter(name => peekPerson(name)?.kind === 'bot')
  const isBot = new Set(bots)
  const here = activeAmong(byName.filter(name => !isBot.has(name)))
  const isHere = new Set(here)
  const away = nearestFirst(
    byName.filter(name => !isHere.has(name) && !isBot.has(name)),
    name => peekPresence(name) ?? 'offline',
  )
  const list = (title: string, names: Username[], most: number) => (
    <PeopleList title={title} count={names.length} names={names.slice(0, most)} channel={channel} />
  )
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
        <AddButton channel={channel} />
      </div>
      <div class="panel-results">
        {byName.length === 0 && all.length > 0 && <p class="hint details-none">{strings.newDm.nobody}</p>}
        {list(strings.people.here, here, shown)}
        {list(strings.people.away, away, Math.max(0, shown - here.length))}
        {list(strings.bots.title, bots, Math.max(0, shown - here.length - away.length))}
        {shown < byName.length && <ListEnd key={shown} more={() => setShown(shown + MORE)} />}
      </div>
    </>
  )
}

/** Members add to public channels; members of a private one add to it. Guests do not. */
function AddButton({ channel: { id, info } }: { channel: Channel }) {
  const details = info.value
  const isOwn = isPrivate(id) && privateChannels.value.some(one => one.channel === id)
  const mayAdd = isOwn || (details?.kind === 'public' && !details.archived)
  if (!details || !mayAdd || me.value?.role === 'guest') return null
  return (
    <button type="button" class="button" onClick={() => openAddPeople(details)}>
      <Icon name="user-plus" size={16} />
      {strings.privateDialog.add}
    </button>
  )
}

interface ListProps {
  title: string
  /** Number of people, of whom `names` are rendered. */
  count: number
  names: Username[]
  channel: Channel
}

function PeopleList({ title, count, names, channel }: ListProps) {
  if (names.length === 0) return null
  const { info } = channel
  const managers = new Set(info.value?.managers)
  const manages = info.value?.may.includes('manage') ?? false
  return (
    <section aria-label={title}>
      <div class="result-day">
        {title} <span class="tabular-numbers">{strings.details.count(count)}</span>
      </div>
      {names.map(name => (
        <PersonLine
          key={name}
          name={name}
          channel={channel.id}
          isManager={managers.has(name)}
          isMaker={info.value?.created_by === name}
          hasMenu={manages && !info.value?.archived}
        />
      ))}
    </section>
  )
}

interface LineProps {
  name: Username
  channel: ChannelId
  isManager: boolean
  /** Made the channel. */
  isMaker: boolean
  /** The viewer manages the channel. */
  hasMenu: boolean
}

/** The mark before them has the emoji, and says the words to readers. */
function StatusWords({ name }: { name: Username }) {
  const status = statusOf(name)
  if (!status?.text) return null
  return (
    <bdi class="option-detail details-status" aria-hidden="true">
      {status.text}
      {status.until !== null && ` ${strings.ownStatus.endsAt(status.until)}`}
    </bdi>
  )
}

const PersonLine = memo(
  ({ name, channel, isManager, isMaker, hasMenu }: LineProps) => (
    <div class="details-person">
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
        <StatusWords name={name} />
        <RoleTag name={name} isManager={isManager} />
        {isMaker && <span class="option-detail">{strings.details.madeChannel}</span>}
        <span class="grow" />
        <span class="option-detail">{name === viewer ? strings.people.you : presenceText(name)}</span>
      </button>
      {hasMenu && (
        <IconButton
          icon="more"
          size={28}
          label={strings.details.personMenu(displayed(name))}
          aria-haspopup="menu"
          onClick={event => openPersonMenu(event.currentTarget, channel, name, isManager)}
        />
      )}
    </div>
  ),
  (before, after) =>
    before.name === after.name && before.isManager === after.isManager && before.hasMenu === after.hasMenu,
)

function openPersonMenu(button: HTMLElement, channel: ChannelId, name: Username, isManager: boolean) {
  const texts = strings.details
  const items: MenuItem[] = [
    {
      label: isManager ? texts.noManager : texts.makeManager,
      icon: 'key',
      run: () => void setManager(channel, name, !isManager),
    },
  ]
  if (name !== viewer)
    items.push({
      label: texts.remove,
      icon: 'logout',
      danger: true,
      run: () => void removeFromChannel(channel, name),
    })
  openPopover(button, texts.personMenu(displayed(name)), close => <MenuItems close={close} items={items} />, {
    role: 'menu',
  })
}
