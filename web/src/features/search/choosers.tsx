import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { fold } from '#shared/domain/fold.ts'
import { filterToken, HAS_KINDS, IS_KINDS } from '#shared/domain/search-query.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { nameOf } from '../../store/channels/names.ts'
import { compareNames, matchingPeople } from '../../store/messages/selectors.ts'
import { displayNameOf } from '../../store/people/people.ts'
import { people, privateChannels, publicChannels, shownDms, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Option } from '../../ui/Option.tsx'
import { chipText, placeValue } from './chip-text.ts'

interface Props {
  choose: (chip: string) => void
}

/** Rendered at once; typing narrows the rest. */
const MOST_CHOICES = 50

export const matchingNames = (typed: string) =>
  matchingPeople(typed, [viewer, ...people.peek()].sort(compareNames), [], displayNameOf)

export function matchingChannels(typed: string, here: ChannelId | undefined): ChannelId[] {
  const all = new Set([
    ...(here ? [here] : []),
    ...publicChannels.peek(),
    ...privateChannels.peek().map(one => one.channel),
    ...shownDms.peek().map(dm => dm.channel),
  ])
  const wanted = fold(typed)
  return [...all].filter(id => fold(nameOf(id)).includes(wanted))
}

export function PersonLine({ name }: { name: string }) {
  return (
    <>
      <Avatar name={name} size={24} />
      <PersonName name={name} />
    </>
  )
}

export function PersonChooser({ choose }: Props) {
  return (
    <Chooser
      label={strings.search.from}
      find={matchingNames}
      show={name => <PersonLine name={name} />}
      choose={name => choose(filterToken('from', name))}
    />
  )
}

export function ChannelChooser({ here, choose }: Props & { here: ChannelId | undefined }) {
  return (
    <Chooser
      label={strings.search.in}
      find={typed => matchingChannels(typed, here)}
      show={id => <bdi>{nameOf(id)}</bdi>}
      choose={id => choose(filterToken('in', placeValue(id)))}
    />
  )
}

export const KIND_CHIPS = [
  ...HAS_KINDS.map(kind => filterToken('has', kind)),
  ...IS_KINDS.map(kind => filterToken('is', kind)),
]

export function KindChooser({ choose }: Props) {
  return (
    <Chooser
      label={strings.search.more}
      find={typed =>
        KIND_CHIPS.filter(chip => `${chipText(chip)} ${chip}`.toLowerCase().includes(typed.toLowerCase()))
      }
      show={chip => (
        <>
          <span class="grow">{chipText(chip)}</span>
          <span class="option-detail">{chip}</span>
        </>
      )}
      choose={choose}
    />
  )
}

interface ChooserProps {
  label: string
  find: (typed: string) => string[]
  show: (choice: string) => ComponentChildren
  choose: (choice: string) => void
}

function Chooser({ label, find, show, choose }: ChooserProps) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = find(typed).slice(0, MOST_CHOICES)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt(Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), found.length - 1))
    } else if (event.key === 'Enter' && found[at] !== undefined) {
      event.preventDefault()
      choose(found[at])
    }
  }
  return (
    <div class="search-chooser">
      <div class="input input-small">
        <Icon name="search" size={16} />
        <input
          value={typed}
          role="combobox"
          aria-expanded="true"
          aria-controls="chooser-list"
          aria-label={label}
          aria-activedescendant={found[at] === undefined ? undefined : `chooser-${at}`}
          onInput={event => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id="chooser-list" aria-label={label} class="search-chooser-list">
        {found.map((choice, index) => (
          <Option key={choice} id={`chooser-${index}`} chosen={index === at} pick={() => choose(choice)}>
            {show(choice)}
          </Option>
        ))}
      </div>
    </div>
  )
}
