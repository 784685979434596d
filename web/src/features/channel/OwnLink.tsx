import type { ChannelId } from '#shared/domain/units.ts'
import { showMessage } from '../../net/channels/open-channel.ts'
import { current } from '../../store/channels/channels.ts'
import type { OwnLink as Target } from '../../store/own-links.ts'
import { hashOf } from '../../store/route.ts'
import { part } from '../../ui/part.ts'

export const linkedMessages = part<typeof import('../../net/messages/linked-messages.ts')>()

interface Props {
  href: string
  link: Target
  words: string
}

/** A link to this server: opens in place; with a modifier key in a new tab, as the browser does. */
export function OwnLink({ href, link, words }: Props) {
  const isBare = words === href
  return (
    <a
      dir={isBare ? 'ltr' : undefined}
      href={href}
      title={isBare ? undefined : href}
      onClick={event => openOwnLink(event, link)}
    >
      {words}
    </a>
  )
}

export function ChannelLink({ id, name }: { id: ChannelId; name: string }) {
  return (
    <a class="mention" dir="auto" href={hashOf(id)}>
      #{name}
    </a>
  )
}

export function openOwnLink(event: MouseEvent, { hash, message }: Target) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const channel = current.peek()
  const isHere = message !== undefined && channel?.findRow(message) !== undefined
  const target = hash ?? (isHere ? hashOf(channel!.id, message) : undefined)
  // The browser reports no navigation to the present address.
  if (isHere && target === location.hash) void showMessage(channel!, message)
  else if (target !== undefined) location.hash = target
  else if (message !== undefined) linkedMessages.use(module => void module.openLinkedMessage(message))
}
