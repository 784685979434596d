import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { type ChannelChange, changeChannelInfo } from '../../net/requests/lazy-endpoints.ts'
import { iconOf } from '../../store/channels/names.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { editedChannel } from './open-browse.ts'
import './browse.css'

const LONGEST_NAME = 80
const LONGEST_TOPIC = 250
const LONGEST_DESCRIPTION = 2_000

/** Name, topic, description and who may write, for managers. */
export function ChannelDetailsDialog() {
  const [info] = useState(editedChannel.peek()!)
  const [name, setName] = useState(info.name ?? info.channel)
  const [topic, setTopic] = useState(info.topic ?? '')
  const [description, setDescription] = useState(info.description ?? '')
  const [readOnly, setReadOnly] = useState(info.posting === 'managers')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const texts = strings.about

  const save = async () => {
    if (busy) return
    if (name.trim() === '') return setProblem(strings.privateDialog.nameNeeded)
    const change = changed(info, {
      name: name.trim(),
      topic: topic.trim() || null,
      description: description.trim() || null,
      posting: readOnly ? 'managers' : 'everyone',
    })
    if (Object.keys(change).length === 0) return close()
    setBusy(true)
    try {
      await changeChannelInfo(info.channel, change)
      close()
    } catch (error) {
      tolerateFailure(error)
      setProblem(strings.sidebar.notChanged(name))
      setBusy(false)
    }
  }
  const onEnter = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.isComposing) void save()
  }

  return (
    <Dialog label={texts.edit} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{texts.edit}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      <div class="field">
        <label for="details-name">{strings.privateDialog.name}</label>
        <div class="input">
          <Icon name={iconOf(info.channel)} size={16} />
          <input
            ref={first}
            id="details-name"
            value={name}
            maxLength={LONGEST_NAME}
            autocomplete="off"
            onInput={event => {
              setName(event.currentTarget.value)
              setProblem('')
            }}
            onKeyDown={onEnter}
          />
        </div>
      </div>
      <div class="field">
        <label for="details-topic">{texts.topic}</label>
        <div class="input">
          <input
            id="details-topic"
            value={topic}
            maxLength={LONGEST_TOPIC}
            autocomplete="off"
            onInput={event => setTopic(event.currentTarget.value)}
            onKeyDown={onEnter}
          />
        </div>
      </div>
      <div class="field">
        <label for="details-description">{texts.description}</label>
        <textarea
          id="details-description"
          class="details-description"
          rows={4}
          value={description}
          maxLength={LONGEST_DESCRIPTION}
          onInput={event => setDescription(event.currentTarget.value)}
        />
      </div>
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
      {problem && (
        <span class="error" role="alert">
          <Icon name="alert" size={16} />
          {problem}
        </span>
      )}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button type="button" class="button button-primary" aria-disabled={busy} onClick={() => void save()}>
          {texts.save}
        </button>
      </div>
    </Dialog>
  )
}

/** The fields that the person has edited: others may have changed meanwhile. */
function changed(before: ChannelInfoPayload, after: Required<Omit<ChannelChange, 'default'>>): ChannelChange {
  const shown = { ...before, name: before.name ?? before.channel }
  const fields = Object.entries(after).filter(
    ([field, value]) => shown[field as keyof ChannelChange] !== value,
  )
  return Object.fromEntries(fields)
}

const close = () => {
  editedChannel.value = undefined
}
