import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { strings } from '../i18n/i18n.ts'
import { current } from '../store/channels/channels.ts'
import { recent } from '../store/device/recent.ts'
import { choiceOf } from '../store/sidebar/channel-choices.ts'
import { Option } from '../ui/Option.tsx'
import { findPlaces, type Place } from './destinations.ts'
import { detailOf, PlacePicture, useKnownPlaces } from './places.tsx'
import './PlaceField.css'

const canWriteIn = ({ channel, users }: Place) =>
  choiceOf(channel).may_post !== false && !users.includes(SYSTEM_SENDER)

/** The channels and people to whom the viewer can write, by a few letters. Arrows move, Enter picks. */
export function PlaceField({ pick }: { pick: (place: Place) => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' }), [at])
  const places = useKnownPlaces().filter(canWriteIn)
  const found = findPlaces(typed, places, recent.peek(), current.peek()?.id)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 && event.key !== 'Enter') return
    event.preventDefault()
    if (step !== 0) setAt((at + step + found.length) % Math.max(found.length, 1))
    else if (found[at]) pick(found[at].place)
  }
  return (
    <>
      <div class="input people-field">
        <span class="people-field-label" aria-hidden="true">
          {strings.forward.to}
        </span>
        <input
          ref={field}
          value={typed}
          placeholder={strings.forward.find}
          role="combobox"
          aria-label={`${strings.forward.to}: ${strings.forward.find}`}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={event => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="people-field-list" role="listbox" id={id} aria-label={strings.switcher.places}>
        {found.map(({ place, parts }, index) => (
          <Option key={place.channel} id={`${id}-${index}`} chosen={index === at} pick={() => pick(place)}>
            <PlacePicture place={place} />
            <bdi class="place-name">
              {parts.map((part, of) => (part.hit ? <mark key={of}>{part.text}</mark> : part.text))}
            </bdi>
            <span class="grow" />
            <span class="option-detail">{detailOf(place)}</span>
          </Option>
        ))}
      </div>
      {/* Inside the modal: the page's live regions are inert while it is open. */}
      <p class={found.length > 0 ? 'visually-hidden' : 'hint'} role="status">
        {found.length === 0 ? strings.forward.none : typed !== '' && strings.switcher.found(found.length)}
      </p>
    </>
  )
}
