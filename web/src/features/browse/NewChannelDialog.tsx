import { useEffect, useRef, useState } from 'preact/hooks'
import { channelIdFromName } from '#shared/domain/channel-name.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { Username } from '#shared/domain/units.ts'
import { composerField } from '../../common/composer-field.ts'
import { PeopleField } from '../../common/PeopleField.tsx'
import { useClientId } from '../../common/use-client-id.ts'
import { strings } from '../../i18n/i18n.ts'
import { createChannel } from '../../net/channels/own-private-channels.ts'
import { createPublicChannel } from '../../net/channels/public-channels.ts'
import { channelInfo } from '../../net/requests/endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { people as allPeople, isMac, isPhone, panel } from '../../store/store.ts'
import { afterPaint } from '../../ui/after-paint.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { NameHint, OpenTaken, sentenceOn } from './NameHint.tsx'
import { newChannelName } from './open-browse.ts'
import '../../ui/page.css'
import './browse.css'

const LONGEST_NAME = 80
const LONGEST_TOPIC = 250

/** Name, purpose, readers and first people of a new channel. */
export function NewChannelDialog() {
  const [name, setName] = useState(newChannelName.peek() ?? '')
  const [topic, setTopic] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [readOnly, setReadOnly] = useState(false)
  const [people, setPeople] = useState<Username[]>([])
  const [problem, setProblem] = useState('')
  /** The channel that has the name. */
  const [taken, setTaken] = useState<ChannelInfoPayload>()
  const [busy, setBusy] = useState(false)
  const attempt = useClientId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])

  const create = async (invited = people) => {
    if (busy) return
    const wanted = name.trim()
    if (wanted === '') {
      setProblem(strings.privateDialog.nameNeeded)
      field.current?.focus()
      return
    }
    setBusy(true)
    try {
      if (isPrivate) await createChannel(wanted, invited, readOnly)
      else {
        const fields = { name: wanted, topic: topic.trim(), readOnly }
        await createPublicChannel({ id: attempt.idOf(fields), ...fields, people: invited })
      }
      leave()
    } catch (error) {
      tolerateFailure(error)
      const isTaken = error.status === 409
      const holder = isTaken ? await holderOf(wanted) : undefined
      setTaken(holder)
      if (isTaken) setProblem(holder?.archived ? sentenceOn(holder) : strings.browse.taken(wanted))
      else setProblem(strings.privateDialog.notMade(wanted))
      setBusy(false)
      field.current?.focus()
    }
  }
  const onEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isCommand(event) && !event.isComposing) void create()
  }
  const onCommandEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isCommand(event) || event.isComposing) return
    event.preventDefault()
    void create([])
  }

  return (
    <Dialog label={strings.browse.create} onClose={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key of the whole dialog */}
      <div class="new-channel-form" onKeyDown={onCommandEnter}>
        <div class="dialog-head">
          <h2 class="dialog-title">{strings.browse.create}</h2>
          <IconButton icon="x" label={strings.close} onClick={close} />
        </div>
        <div class="field">
          <label for="channel-name">{strings.privateDialog.name}</label>
          <div class={problem ? 'input is-error' : 'input'}>
            <Icon name={isPrivate ? 'lock' : 'hash'} size={16} />
            <input
              ref={field}
              id="channel-name"
              value={name}
              maxLength={LONGEST_NAME}
              autocomplete="off"
              aria-invalid={problem !== ''}
              aria-describedby={problem ? 'channel-problem' : undefined}
              onInput={event => {
                setName(event.currentTarget.value)
                setProblem('')
                setTaken(undefined)
              }}
              onKeyDown={onEnter}
            />
          </div>
          {problem && (
            <span class="error" id="channel-problem" role="alert">
              <Icon name="alert" size={16} />
              {problem}
            </span>
          )}
          {taken && <OpenTaken info={taken} close={leave} />}
          {!problem && <NameHint name={name} isPrivate={isPrivate} close={leave} />}
        </div>
        {!isPrivate && (
          <div class="field">
            <label for="channel-topic">
              {strings.browse.topic} <span class="hint">{strings.browse.optional}</span>
            </label>
            <div class="input">
              <input
                id="channel-topic"
                value={topic}
                maxLength={LONGEST_TOPIC}
                autocomplete="off"
                onInput={event => setTopic(event.currentTarget.value)}
                onKeyDown={onEnter}
              />
            </div>
          </div>
        )}
        <Readers isPrivate={isPrivate} setPrivate={setPrivate} />
        <FirstPeople chosen={people} onChange={setPeople} onDone={() => void create()} />
        <label class="browse-switch">
          <input
            type="checkbox"
            checked={readOnly}
            onChange={event => setReadOnly(event.currentTarget.checked)}
          />
          <span>
            {strings.browse.readOnly}
            <span class="hint">{strings.browse.readOnlyHint}</span>
          </span>
        </label>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={close}>
            {strings.cancel}
          </button>
          <button
            type="button"
            class="button button-primary"
            aria-disabled={busy}
            onClick={() => void create()}
          >
            {strings.browse.make}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

interface FirstPeopleProps {
  chosen: Username[]
  onChange: (chosen: Username[]) => void
  onDone: () => void
}

function FirstPeople({ chosen, onChange, onDone }: FirstPeopleProps) {
  const texts = strings.browse
  return (
    <div class="field new-channel">
      <span class="label" aria-hidden="true">
        {texts.addPeople} <span class="hint">{texts.optional}</span>
      </span>
      <PeopleField label={texts.addPeople} chosen={chosen} onChange={onChange} onDone={onDone} whenTyped />
      {chosen.length > 0 && !isPhone.value && (
        <p class="hint">{texts.addNobody(isMac ? '⌘' : strings.keys.ctrl)}</p>
      )}
    </div>
  )
}

/** The channel whose id a new one of this name would have; undefined if the viewer cannot read it. */
async function holderOf(name: string): Promise<ChannelInfoPayload | undefined> {
  try {
    return await channelInfo(channelIdFromName(name))
  } catch (error) {
    tolerateFailure(error)
    return undefined
  }
}

const isCommand = (event: KeyboardEvent) => event.ctrlKey || event.metaKey

const close = () => {
  newChannelName.value = undefined
}

/** For a channel that is there already. */
function leave() {
  panel.value = undefined
  close()
  // A composer under a page or a dialog could not take the focus when its channel opened.
  if (!isPhone.peek()) afterPaint(() => composerField()?.focus())
}

function Readers({ isPrivate, setPrivate }: { isPrivate: boolean; setPrivate: (on: boolean) => void }) {
  const texts = strings.browse
  const choices = [
    { on: false, icon: 'hash', name: texts.everyone, hint: texts.everyoneHint(allPeople.value.length) },
    { on: true, icon: 'lock', name: texts.private, hint: texts.privateHint },
  ]
  return (
    <fieldset class="browse-readers">
      <legend class="label">{texts.readers}</legend>
      {choices.map(({ on, icon, name, hint }) => (
        <label key={icon} class={on === isPrivate ? 'choice-card is-on' : 'choice-card'}>
          <input
            type="radio"
            name="readers"
            class="visually-hidden"
            checked={on === isPrivate}
            onChange={() => setPrivate(on)}
          />
          <Icon name={icon} size={16} />
          <span>
            <b>{name}</b>
            <span class="hint">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
