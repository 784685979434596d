import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelId } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { loadMembers } from '../../net/channels/open-channel.ts'
import { addMember, renameChannel } from '../../net/channels/own-private-channels.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { plainName } from '../../store/channels/names.ts'
import { matchingPeople } from '../../store/messages/selectors.ts'
import { displayNameOf } from '../../store/people/people.ts'
import { me, people, presenceOf, privateChannels, viewer } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { Option } from '../../ui/Option.tsx'
import { LONGEST_NAME } from './CreateDialog.tsx'
import { openPrivateChannelDialog } from './open-private-channels.ts'

/** Members rendered at a time. */
const DRAWN = 60

interface Props {
  channel: ChannelId
  focus: 'name' | 'add'
  close: () => void
}

/** Actions open to every member but guests: rename, add somebody, leave (ui.md 5.8). */
export function ManageDialog({ channel, focus, close }: Props) {
  const { members } = channelOf(channel)
  const isOpenToViewer =
    me.value?.role !== 'guest' && privateChannels.value.some(one => one.channel === channel)
  useEffect(() => {
    void loadMembers(channelOf(channel))
  }, [channel])
  // The channel or the role was lost while the dialog was open.
  useEffect(() => {
    if (!isOpenToViewer) close()
  }, [isOpenToViewer])
  const all = [viewer, ...members.value]
  const [shown, setShown] = useState(DRAWN)
  return (
    <Dialog label={plainName(channel)} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{plainName(channel)}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      <Rename channel={channel} autofocus={focus === 'name'} />
      <AddSomeone channel={channel} autofocus={focus === 'add'} />
      <section class="private-channel-people" aria-label={strings.privateDialog.people}>
        <h3 class="popover-title">{strings.header.count(all.length)}</h3>
        {all.slice(0, shown).map(name => (
          <div key={name} class="option">
            <Avatar name={name} size={24} presence />
            <PersonName name={name} />
            <span class="grow" />
            <PresenceWord name={name} />
          </div>
        ))}
        {shown < all.length && <ListEnd key={shown} more={() => setShown(shown + DRAWN)} />}
      </section>
      <div class="dialog-foot">
        <button
          type="button"
          class="button button-quiet button-danger-text private-channel-leave"
          onClick={() => openPrivateChannelDialog({ kind: 'leave', channel })}
        >
          {strings.privateDialog.leave}
        </button>
        <button type="button" class="button button-primary" onClick={close}>
          {strings.privateChannel.done}
        </button>
      </div>
    </Dialog>
  )
}

function PresenceWord({ name }: { name: string }) {
  return (
    <span class="option-detail">
      {name === viewer ? strings.people.you : strings.presence[presenceOf(name)]}
    </span>
  )
}

function Rename({ channel, autofocus }: { channel: ChannelId; autofocus: boolean }) {
  const current = privateChannels.value.find(one => one.channel === channel)?.name ?? plainName(channel)
  const [name, setName] = useState(current)
  const [result, setResult] = useState<Result>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (autofocus) field.current?.select()
  }, [])
  const rename = async () => {
    const wanted = name.trim()
    if (wanted === '') {
      setResult({ text: strings.privateDialog.nameNeeded, bad: true })
      return field.current?.focus()
    }
    if (wanted === current) return
    const done = await renameChannel(channel, wanted)
    setResult(
      done
        ? { text: strings.privateDialog.renamed }
        : { text: strings.privateDialog.notRenamed(wanted), bad: true },
    )
  }
  return (
    <div class="field">
      <label for="private-name">{strings.privateDialog.name}</label>
      <div class="private-channel-line">
        <div class="input input-small">
          <input
            ref={field}
            id="private-name"
            value={name}
            maxLength={LONGEST_NAME}
            autocomplete="off"
            onInput={event => {
              setName(event.currentTarget.value)
              setResult(undefined)
            }}
            onKeyDown={event => {
              if (event.key === 'Enter' && !event.isComposing) void rename()
            }}
          />
        </div>
        <button
          type="button"
          class="button"
          aria-disabled={name.trim() === '' || name.trim() === current}
          onClick={() => void rename()}
        >
          {strings.privateDialog.rename}
        </button>
      </div>
      <Sentence result={result} />
    </div>
  )
}

const SHOWN = 5

function AddSomeone({ channel, autofocus }: { channel: ChannelId; autofocus: boolean }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [result, setResult] = useState<Result>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (autofocus) field.current?.focus()
  }, [])
  const members = channelOf(channel).members.value
  const found =
    typed.trim() === ''
      ? []
      : matchingPeople(typed.trim(), people.value, [], displayNameOf)
          .filter(name => !members.includes(name) && name !== viewer)
          .slice(0, SHOWN)
  const add = async (name: string) => {
    setTyped('')
    setAt(0)
    field.current?.focus()
    const outcome = await addMember(channel, name)
    const sentence = {
      added: strings.privateDialog.added,
      already: strings.privateDialog.already,
      unknown: strings.privateDialog.unknownUser,
      failed: strings.privateDialog.notAdded,
    }[outcome]
    setResult({ text: sentence(name), bad: outcome !== 'added' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && found.length > 0) {
      event.preventDefault()
      setAt((at + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length)
    } else if (event.key === 'Enter' && typed.trim() !== '') {
      event.preventDefault()
      void add(found[at] ?? typed.trim())
    }
  }
  return (
    <div class="field">
      <label for="private-add">{strings.privateDialog.add}</label>
      <div class="input input-small">
        <Icon name="user-plus" size={16} />
        <input
          ref={field}
          id="private-add"
          value={typed}
          placeholder={strings.privateDialog.addPlaceholder}
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls="private-found"
          aria-activedescendant={found[at] ? `private-found-${at}` : undefined}
          aria-describedby="private-hint"
          autocomplete="off"
          spellcheck={false}
          onInput={event => {
            setTyped(event.currentTarget.value)
            setAt(0)
            setResult(undefined)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="private-channel-found" role="listbox" id="private-found" aria-label={strings.newDm.people}>
        {found.map((name, index) => (
          <Option key={name} id={`private-found-${index}`} chosen={index === at} pick={() => void add(name)}>
            <Avatar name={name} size={24} presence />
            <PersonName name={name} />
          </Option>
        ))}
      </div>
      <Sentence result={result} />
      <span class="hint" id="private-hint">
        {strings.privateDialog.addHint}
      </span>
    </div>
  )
}

interface Result {
  text: string
  bad?: boolean
}

function Sentence({ result }: { result: Result | undefined }) {
  return (
    <div role="status">
      {result && <span class={result.bad ? 'error' : 'private-channel-done'}>{result.text}</span>}
    </div>
  )
}
