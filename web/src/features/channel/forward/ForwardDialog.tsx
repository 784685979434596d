import { useEffect, useRef, useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Place } from '../../../common/destinations.ts'
import { FormDialog } from '../../../common/FormDialog.tsx'
import { PlaceField } from '../../../common/PlaceField.tsx'
import { PlacePicture } from '../../../common/places.tsx'
import { useClientId } from '../../../common/use-client-id.ts'
import { useSubmit } from '../../../common/use-submit.ts'
import { strings } from '../../../i18n/i18n.ts'
import { channelOf } from '../../../store/channels/channels.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { showToast } from '../../../ui/feedback.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { forwarding } from '../open-forward.ts'
import { MessageQuote } from '../row/MessageQuote.tsx'
import { isWider } from './audience.ts'
import { sendForward } from './send-forward.ts'
import './ForwardDialog.css'

const close = () => {
  forwarding.value = undefined
}

/** Forwards a message to a channel or a person, with a comment. */
export function ForwardDialog() {
  const row = forwarding.value
  return row && <Form key={row.id} row={row} />
}

function Form({ row }: { row: MessagePayload }) {
  const [place, setPlace] = useState<Place | undefined>(undefined)
  const [comment, setComment] = useState('')
  const { asks, form, reset } = useForward(row, place, comment.trim())
  const choose = (chosen: Place | undefined) => {
    setPlace(chosen)
    reset()
  }
  const texts = strings.forward
  return (
    <FormDialog
      title={texts.title}
      close={close}
      form={form}
      label={form.busy ? texts.sending : asks ? texts.anyway : texts.send}
      incomplete={!place}
      {...(asks && { cancel: { label: texts.chooseOther, run: () => choose(undefined) } })}
    >
      <MessageQuote row={row} />
      {place ? (
        <Comment
          place={place}
          text={comment}
          onInput={text => {
            setComment(text)
            reset()
          }}
          change={() => choose(undefined)}
          send={() => void form.submit()}
        />
      ) : (
        <PlaceField pick={choose} />
      )}
      {place && asks && (
        <p class="forward-question" role="alert">
          <Icon name="users" size={16} />
          {texts.wider(nameOf(row.channel), nameOf(place.channel))}
        </p>
      )}
    </FormDialog>
  )
}

/** Asks before people can read a message who could not before, then sends it; repetitions arrive once. */
function useForward(row: MessagePayload, place: Place | undefined, text: string) {
  const ids = useClientId()
  const [asks, setAsks] = useState(false)
  const isOpen = useRef(true)
  useEffect(
    () => () => {
      isOpen.current = false
    },
    [],
  )
  const send = async () => {
    if (!place) return false
    const { channel } = place
    if (!asks && isWider(row.channel, channel, channelOf(row.channel).members.peek())) {
      setAsks(true)
      return false
    }
    const clientId = ids.idOf([row.id, channel, text])
    const failed = await sendForward({ row, channel, name: nameOf(channel), text, clientId })
    if (!failed || failed.isFinal) ids.made()
    if (isOpen.current) return failed?.problem
    if (failed) showToast(failed.problem, { icon: 'alert' })
    return false
  }
  const form = useSubmit({ send, done: close })
  const reset = () => {
    setAsks(false)
    form.clear()
  }
  return { asks, form, reset }
}

interface CommentProps {
  place: Place
  text: string
  onInput: (text: string) => void
  change: () => void
  send: () => void
}

/** The chosen place, a press on which chooses again, and the comment. */
function Comment({ place, text, onInput, change, send }: CommentProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const name = nameOf(place.channel)
  return (
    <>
      <div class="input people-field">
        <span class="people-field-label" aria-hidden="true">
          {strings.forward.to}
        </span>
        <button
          type="button"
          class="people-field-person"
          aria-label={strings.forward.change(name)}
          onClick={change}
        >
          <PlacePicture place={place} />
          {name}
          <Icon name="x" size={14} />
        </button>
      </div>
      <div class="field forward-comment">
        <label for="forward-comment">
          {strings.forward.comment} <span class="hint">{strings.forward.optional}</span>
        </label>
        <textarea
          ref={field}
          id="forward-comment"
          class="input"
          rows={3}
          dir="auto"
          value={text}
          onInput={event => onInput(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            send()
          }}
        />
      </div>
    </>
  )
}
