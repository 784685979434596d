import { useEffect, useRef, useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Place } from '../../../common/destinations.ts'
import { PlaceField } from '../../../common/PlaceField.tsx'
import { PlacePicture } from '../../../common/places.tsx'
import { useClientId } from '../../../common/use-client-id.ts'
import { strings } from '../../../i18n/i18n.ts'
import { channelOf } from '../../../store/channels/channels.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/feedback.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
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
  const [place, setPlace] = useState<Place | undefined>(undefined)
  const [comment, setComment] = useState('')
  const attempt = useForward(row)
  if (!row) return null
  const choose = (chosen: Place | undefined) => {
    setPlace(chosen)
    attempt.reset()
  }
  const say = strings.forward
  return (
    <Dialog label={say.title} onClose={close}>
      <div class="dialog-head">
        <h2 class="dialog-title">{say.title}</h2>
        <IconButton icon="x" label={strings.close} onClick={close} />
      </div>
      <MessageQuote row={row} />
      {place ? (
        <Comment
          place={place}
          text={comment}
          onInput={text => {
            setComment(text)
            attempt.reset()
          }}
          change={() => choose(undefined)}
          send={() => void attempt.send(place, comment.trim())}
        />
      ) : (
        <PlaceField pick={choose} />
      )}
      {place && attempt.asks && (
        <p class="forward-question" role="alert">
          <Icon name="users" size={16} />
          {say.wider(nameOf(row.channel), nameOf(place.channel))}
        </p>
      )}
      {attempt.problem && (
        <span class="error" role="alert">
          <Icon name="alert" size={16} />
          {attempt.problem}
        </span>
      )}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={attempt.asks ? () => choose(undefined) : close}>
          {attempt.asks ? say.chooseOther : strings.cancel}
        </button>
        <button
          type="button"
          class="button button-primary"
          aria-disabled={!place || attempt.busy}
          onClick={() => place && void attempt.send(place, comment.trim())}
        >
          {attempt.busy ? say.sending : attempt.asks ? say.anyway : say.send}
        </button>
      </div>
    </Dialog>
  )
}

/** Asks before people can read a message who could not before, then sends it; repetitions arrive once. */
function useForward(row: MessagePayload | undefined) {
  const ids = useClientId()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const isOpen = useRef(true)
  useEffect(
    () => () => {
      isOpen.current = false
    },
    [],
  )
  return {
    asks,
    busy,
    problem,
    reset() {
      setAsks(false)
      setProblem('')
    },
    async send({ channel }: Place, text: string) {
      if (!row || busy) return
      const members = channelOf(row.channel).members.peek()
      if (!asks && isWider(row.channel, channel, members)) return setAsks(true)
      setBusy(true)
      setProblem('')
      const clientId = ids.idOf([row.id, channel, text])
      const failed = await sendForward({ row, channel, name: nameOf(channel), text, clientId })
      if (!failed || failed.isFinal) ids.made()
      if (!isOpen.current) return void (failed && showToast(failed.problem, { icon: 'alert' }))
      if (!failed) return close()
      setBusy(false)
      setProblem(failed.problem)
    },
  }
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
