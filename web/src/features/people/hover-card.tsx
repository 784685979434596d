/** The card of a person after a rest of the pointer on a name, a face or a mention. The keyboard has the profile. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { presenceText } from '../../common/presence-text.ts'
import { PersonTag } from '../../common/StatusMark.tsx'
import { strings } from '../../i18n/i18n.ts'
import { personOf } from '../../store/people/people.ts'
import { isPopoverOpen } from '../../ui/Popover.tsx'
import { putBeside } from '../../ui/PopoverHost.tsx'
import { PersonFacts } from './PersonFacts.tsx'
import './ProfileCard.css'

const OPENS_AFTER: Milliseconds = 500
/** Lets the pointer move from the name to the card. */
const CLOSES_AFTER: Milliseconds = 200

interface Shown {
  anchor: HTMLElement
  name: Username
}

const shown = signal<Shown | undefined>(undefined)
let anchor: HTMLElement | undefined
let timer: ReturnType<typeof setTimeout> | undefined

export function startHoverCards() {
  const host = document.body.appendChild(document.createElement('div'))
  render(<HoverCard />, host)
  addEventListener('pointerover', onPointerOver)
  for (const type of ['pointerdown', 'wheel', 'keydown', 'blur'])
    addEventListener(type, close, { capture: true, passive: true })
}

function close() {
  clearTimeout(timer)
  anchor = undefined
  shown.value = undefined
}

function onPointerOver(event: PointerEvent) {
  const target = event.target as Element
  if (event.pointerType !== 'mouse' || target.closest('[role=tooltip]')) return clearTimeout(timer)
  const over = target.closest<HTMLElement>('[data-person]') ?? undefined
  if (over === anchor) return
  anchor = over
  clearTimeout(timer)
  if (over) timer = setTimeout(open, OPENS_AFTER, over)
  else timer = setTimeout(close, CLOSES_AFTER)
}

function open(over: HTMLElement) {
  const name = over.dataset['person']
  if (!over.isConnected || isPopoverOpen.peek() || !name || !personOf(name)) return
  // The card has the username; the browser's tooltip would lie on it.
  for (const one of [over, ...over.querySelectorAll('[title]')]) one.removeAttribute('title')
  shown.value = { anchor: over, name }
}

function HoverCard() {
  const box = useRef<HTMLDivElement>(null)
  const { anchor, name } = shown.value ?? {}
  useLayoutEffect(() => {
    if (anchor) putBeside(box.current!, anchor.getBoundingClientRect(), true)
  }, [anchor, name])
  const person = name === undefined ? undefined : personOf(name)
  if (!person || isPopoverOpen.value) return null
  const { username, display_name } = person
  return (
    <section aria-label={strings.profile.label(username)}>
      <div ref={box} class="popover popover-placed" role="tooltip" onPointerLeave={close}>
        <div class="profile-card">
          <div class="profile-card-head">
            <Avatar name={username} size={64} presence />
            <div>
              <p class="hover-card-name">
                <PersonName name={username} /> <PersonTag name={username} />
              </p>
              {display_name && <p>@{username}</p>}
              <p>{presenceText(username)}</p>
            </div>
          </div>
          <PersonFacts person={person} />
        </div>
      </div>
    </section>
  )
}
