import { useEffect, useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import { outbox } from '../../../net/outbox/browser-outbox.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import type { ShownRow } from '../../../store/messages/items.ts'
import { isLate, type Pending } from '../../../store/messages/pending.ts'
import { connection } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { whyNotSent } from './why-not-sent.ts'

/** For this many ms a message that is being sent shows no state. */
const QUIET_FOR = 400

interface Props {
  channel: Channel
  rows: ShownRow[]
}

export function SendState({ channel, rows }: Props) {
  const failed = rows.find(one => one.pending?.state === 'failed')?.pending
  const underway = rows.find(
    one => one.pending && one.pending.state !== 'failed' && one.pending.state !== 'sent',
  )?.pending
  const startedAt = underway?.startedAt
  const [late, setLate] = useState(() => isPast(startedAt))
  useEffect(() => {
    setLate(isPast(startedAt))
    if (startedAt === undefined) return
    const timer = setTimeout(() => setLate(true), Math.max(0, startedAt + QUIET_FOR - Date.now()))
    return () => clearTimeout(timer)
  }, [startedAt])

  if (failed) {
    const retry = () => {
      for (const one of rows) if (one.pending?.state === 'failed') outbox.tryAgain(channel, one.key)
    }
    const drop = () => {
      for (const one of rows) if (one.pending?.state === 'failed') outbox.giveUp(channel, one.key)
    }
    return (
      <span class="send-state is-failed">
        <Icon name="alert" size={14} />
        {whyNotSent(failed, Date.now())}
        <button type="button" onClick={retry}>
          {strings.tryAgain}
        </button>
        <button type="button" onClick={drop}>
          {strings.delete}
        </button>
      </span>
    )
  }
  if (!underway || !late) return null
  // The first stuck message delays all behind it.
  if (rows.some(one => one.pending && isLate(one.pending)) || connection.value === 'dead') {
    const cancel = () => {
      for (const one of rows) if (one.pending && isMovable(one.pending)) outbox.giveUp(channel, one.key)
    }
    return (
      <span class="send-state">
        <Icon name="clock" size={14} />
        {strings.list.waiting}
        <button type="button" onClick={cancel}>
          {strings.delete}
        </button>
      </span>
    )
  }
  return (
    <span class="send-state">
      <Icon name="clock" size={14} />
      {strings.list.sending}
    </span>
  )
}

const isPast = (startedAt: number | undefined) =>
  startedAt !== undefined && startedAt + QUIET_FOR <= Date.now()

const isMovable = (one: Pending) => one.state === 'waiting' || one.state === 'sending'
