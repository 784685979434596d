import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { fold } from '#shared/domain/fold.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import { Avatar } from '../../../common/Avatar.tsx'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { StatusMark } from '../../../common/StatusMark.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { refreshReadable } from '../../../net/channels/readable-channels.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { isPrivate, nameOf, otherChannels, plainName } from '../../../store/channels/names.ts'
import { peopleIn } from '../../../store/channels/people-in.ts'
import { isRowItem, rowsOf } from '../../../store/messages/items.ts'
import { marked, matchingPeople } from '../../../store/messages/selectors.ts'
import { groups } from '../../../store/people/groups.ts'
import { displayNameOf } from '../../../store/people/people.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { channelIcon } from '../../../store/sidebar/channel-choices.ts'
import { presenceOf, privateChannels, publicChannels } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Option } from '../../../ui/Option.tsx'
import { commandList } from '../../commands/open-commands.ts'
import { emojiList, loadEmoji } from '../emoji/lazy-emoji.ts'
import type { Typing } from './completion.ts'
import './MentionMenu.css'

export interface Choice {
  insert: string
  label: ComponentChildren
  picture: ComponentChildren
  sub: string
  /** The emoji without skin tone. */
  emoji?: string
}

const SHOWN = 8
const SHOWN_GROUPS = 4

export function choicesFor(channel: Channel, typing: Typing): Choice[] {
  if (typing.kind === 'mention') return peopleFor(channel, typing.typed)
  if (typing.kind === 'command') return commandsFor(typing.typed)
  return typing.kind === 'channel' ? channelsFor(typing.typed) : emojiFor(typing.typed)
}

function peopleFor(channel: Channel, typed: string): Choice[] {
  const spoke = channel.items
    .peek()
    .filter(isRowItem)
    .flatMap(rowsOf)
    .map(one => one.row.sender)
    .reverse()
  const found = matchingPeople(typed, channel.members.value, [...new Set(spoke)], displayNameOf)
  // Behind a space only the beginning of a name goes on; else it is the next word of the text.
  const people = typed.includes(' ')
    ? found.filter(name => fold(displayNameOf(name) ?? '').startsWith(fold(typed)))
    : found
  const choices: Choice[] = people.slice(0, SHOWN).map(name => ({
    insert: `@${name}`,
    label: (
      <>
        <Marked text={displayNameOf(name) ?? name} typed={typed} />
        <StatusMark name={name} />
      </>
    ),
    picture: <Avatar name={name} size={24} presence />,
    sub: displayNameOf(name) ? `@${name}` : strings.presence[presenceOf(name)],
  }))
  choices.push(...groupsFor(typed))
  if (channel.members.value.length > 0 && EVERYONE.startsWith(`@${typed.toLowerCase()}`)) {
    choices.push({
      insert: EVERYONE,
      label: <Marked text={EVERYONE} typed={typed} />,
      picture: <Several />,
      sub: strings.composer.everyone(peopleIn(channel) - 1),
    })
  }
  return choices
}

const Several = () => (
  <span class="avatar avatar-24 mention-menu-everyone" aria-hidden="true">
    <Icon name="users" size={14} />
  </span>
)

/** Groups whose handle or name contains the text, in the order of the place. */
function groupsFor(typed: string): Choice[] {
  const wanted = fold(typed)
  const placeIn = ({ handle, name }: GroupPayload) => fold(`${handle} ${name}`).indexOf(wanted)
  return groups.value
    .filter(group => placeIn(group) >= 0)
    .sort((a, b) => placeIn(a) - placeIn(b))
    .slice(0, SHOWN_GROUPS)
    .map(({ handle, name, members }) => ({
      insert: `@${handle}`,
      label: <Marked text={handle} typed={typed} />,
      picture: <Several />,
      sub: strings.composer.group(name, members.length),
    }))
}

/** Readable channels whose name or id contains the text, those whose name begins with it first. */
function channelsFor(typed: string): Choice[] {
  refreshReadable()
  const wanted = fold(typed)
  const joined = [...publicChannels.value, ...privateChannels.value.map(({ channel }) => channel)]
  const found = [...new Set([...joined, ...otherChannels.value])]
    .map(channel => ({ channel, name: plainName(channel) }))
    .filter(({ channel, name }) =>
      [name, isPrivate(channel) ? name : channel].some(one => fold(one).includes(wanted)),
    )
  const isPrefix = ({ name }: { name: string }) => Number(fold(name).startsWith(wanted))
  found.sort((a, b) => isPrefix(b) - isPrefix(a))
  return found.slice(0, SHOWN).map(({ channel, name }) => ({
    insert: `#${isPrivate(channel) ? name : channel}`,
    label: <Marked text={name} typed={typed} />,
    picture: <Icon name={channelIcon(channel)} />,
    sub: '',
  }))
}

function emojiFor(typed: string): Choice[] {
  void loadEmoji()
  const list = emojiList.value
  const tone = preferred.skinTone.value
  return (list?.completionsOf(typed, SHOWN) ?? []).map(({ emoji, hasTones, name, isOwn }) => {
    const shown = hasTones ? list!.toned(emoji, tone) : emoji
    return {
      insert: shown,
      label: <Marked text={`:${name}:`} typed={typed} />,
      picture: <span class="emoji">{isOwn ? <EmojiSign name={name} /> : shown}</span>,
      sub: '',
      emoji,
    }
  })
}

function commandsFor(typed: string): Choice[] {
  return (commandList.now?.commandsFor(typed) ?? []).map(({ name, input, about }) => ({
    insert: `/${name}`,
    label: (
      <span class="mention-menu-name">
        /{marked(name, typed).map(part => (part.hit ? <mark>{part.text}</mark> : part.text))} {input}
      </span>
    ),
    picture: null,
    sub: about,
  }))
}

function Marked({ text, typed }: { text: string; typed: string }) {
  return (
    <span class="mention-menu-name" dir="ltr">
      {marked(text, typed).map(part => (part.hit ? <mark>{part.text}</mark> : part.text))}
    </span>
  )
}

interface Props {
  channel: Channel
  typing: Typing
  choices: Choice[]
  at: number
  pick: (choice: Choice) => void
}

/** Completion list above the composer; the focus stays in the text. */
export function MentionMenu({ channel, typing, choices, at, pick }: Props) {
  useEffect(() => document.getElementById(`choice-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])
  const label = {
    mention: strings.composer.people(nameOf(channel.id)),
    channel: strings.channelLinks.choose,
    emoji: strings.picker.emojiLabel,
    command: strings.commands.label,
  }[typing.kind]
  return (
    <div class="popover mention-menu" role="listbox" id="choices" aria-label={label}>
      <div class="popover-title" aria-hidden="true">
        {label}
      </div>
      {choices.map((choice, index) => (
        <Option key={choice.insert} id={`choice-${index}`} chosen={index === at} pick={() => pick(choice)}>
          {choice.picture}
          {choice.label}
          <span class="grow" />
          <span class="option-detail">{choice.sub}</span>
        </Option>
      ))}
      {typing.kind === 'command' && (
        <div class="mention-menu-foot" aria-hidden="true">
          <kbd>{strings.keys.tab}</kbd> {strings.commands.accept}
          <kbd>{strings.keys.esc}</kbd> {strings.commands.asText}
        </div>
      )}
    </div>
  )
}
