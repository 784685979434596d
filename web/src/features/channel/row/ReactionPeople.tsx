/** The people of a reaction: a tip beside a reaction that is hovered or has the focus, and a list for touch screens. */
import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { type Channel, channelOf } from '../../../store/channels/channels.ts'
import { reactionsOf } from '../../../store/messages/selectors.ts'
import { isPhone, viewer } from '../../../store/store.ts'
import { openPopover } from '../../../ui/Popover.tsx'
import { putBeside } from '../../../ui/PopoverHost.tsx'
import { ReaderLine } from './SeenBy.tsx'
import './ReactionPeople.css'

/** Names in a tip, at most. */
const NAMED = 20
/** Time in ms for the pointer to reach the tip. */
const STAYS = 150
/** Time in ms after which another channel is drawn. */
const DRAWN = 100

let hideTip = () => {}

/** Shown until pointer and focus are elsewhere, Esc, or scrolling. */
export function showReactionTip(chip: HTMLElement, message: MessagePayload, name: string) {
  hideTip()
  if (!chip.matches(':hover, :focus-visible')) return
  const box = document.createElement('div')
  document.body.append(box)
  const left = new AbortController()
  const hide = () => {
    left.abort()
    render(null, box)
    box.remove()
  }
  hideTip = hide
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!chip.matches(':hover, :focus-visible') && !box.matches(':hover')) hide()
    }, STAYS)
  }
  const { signal } = left
  for (const one of [chip, box]) one.addEventListener('pointerleave', leave, { signal })
  chip.addEventListener('blur', leave, { signal })
  document.addEventListener('scroll', hide, { signal, capture: true })
  addEventListener('keydown', event => event.key === 'Escape' && hide(), { signal, capture: true })
  // An element that is removed under the pointer gets no event.
  const look = () => setTimeout(() => chip.isConnected || hide(), DRAWN)
  for (const name of ['keyup', 'click', 'popstate']) addEventListener(name, look, { signal, capture: true })
  const channel = channelOf(message.channel)
  render(<Tip chip={chip} channel={channel} id={message.id} name={name} hide={hide} />, box)
}

interface TipProps {
  chip: HTMLElement
  channel: Channel
  id: number
  name: string
  hide: () => void
}

function Tip({ chip, channel, id, name, hide }: TipProps) {
  const box = useRef<HTMLDivElement>(null)
  const people = reactionsIn(channel, id).find(([other]) => other === name)?.[1]
  useLayoutEffect(() => {
    if (people && chip.isConnected) putBeside(box.current!, chip.getBoundingClientRect(), true)
    else hide()
  })
  if (!people) return null
  const named = people.slice(0, NAMED).map(person => (person === viewer ? strings.you : person))
  return (
    // The name of the button says the same.
    <div ref={box} class="reaction-tip" aria-hidden="true">
      <em>
        <EmojiSign name={name} />
      </em>
      <span>{strings.reaction.by(named, name, people.length - named.length)}</span>
    </div>
  )
}

/** Subscribes to the messages of the channel. */
function reactionsIn(channel: Channel, id: number) {
  void channel.items.value
  const row = channel.findRow(id)
  return row && row.deleted !== 1 ? reactionsOf(row) : []
}

export function openReactions(anchor: HTMLElement, channel: Channel, id: number) {
  openPopover(
    anchor,
    strings.reaction.title,
    () => <AllReactions anchor={anchor} channel={channel} id={id} />,
    { sheet: isPhone.peek() },
  )
}

function AllReactions({ anchor, channel, id }: { anchor: HTMLElement; channel: Channel; id: number }) {
  const reactions = reactionsIn(channel, id)
  return (
    <div class="reaction-people">
      <div class="popover-title">{strings.reaction.title}</div>
      {reactions.length === 0 && <p class="hint">{strings.reaction.none}</p>}
      {reactions.map(([name, people]) => (
        <div key={name} role="group" aria-label={strings.reaction.count(people.length, name)}>
          <div class="reaction-people-head" aria-hidden="true">
            <em>
              <EmojiSign name={name} />
            </em>
            <span class="tabular-numbers">{people.length}</span>
          </div>
          {people.map(person => (
            <ReaderLine key={person} name={person} anchor={anchor} />
          ))}
        </div>
      ))}
    </div>
  )
}
