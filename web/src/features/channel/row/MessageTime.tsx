import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../../i18n/i18n.ts'
import { hashOf } from '../../../store/route.ts'
import { openOwnLink } from '../OwnLink.tsx'

/** The time of a message, with its date as tooltip. It is the address of the message once that is sent. */
export function MessageTime({ row, place }: { row: MessagePayload; place: string }) {
  const { id, ts, channel } = row
  const title = strings.fullTime(ts)
  const time = <time dateTime={new Date(ts * 1000).toISOString()}>{strings.time(ts)}</time>
  if (id <= 0)
    return (
      <span class={`message-time ${place}`} title={title}>
        {time}
      </span>
    )
  return (
    <a
      class={`message-time ${place}`}
      href={`/m/${id}`}
      title={title}
      // The row is the stop of the keyboard, and its menu has the link.
      tabIndex={-1}
      onClick={event => openOwnLink(event, { hash: hashOf(channel, id), message: id })}
    >
      {time}
    </a>
  )
}
