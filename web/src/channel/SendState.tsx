import { useEffect, useState } from 'preact/hooks'
import { giveUp, tryAgain } from '../server/outbox.ts'
import type { Channel } from '../store/channels.ts'
import type { ShownRow } from '../store/items.ts'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'

/** Before that, a message that is on its way looks like one that has arrived. */
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
  const [late, setLate] = useState(false)
  const startedAt = underway?.startedAt
  useEffect(() => {
    setLate(false)
    if (startedAt === undefined) return
    const timer = setTimeout(() => setLate(true), Math.max(0, startedAt + QUIET_FOR - Date.now()))
    return () => clearTimeout(timer)
  }, [startedAt])

  if (failed) {
    const retry = () => {
      for (const one of rows) if (one.pending?.state === 'failed') tryAgain(channel, one.key)
    }
    const drop = () => {
      for (const one of rows) if (one.pending?.state === 'failed') giveUp(channel, one.key)
    }
    return (
      <span class="send-st fail">
        <Icon name="alert" size={14} />
        {failed.reason ? words.list.notSentBecause(failed.reason) : words.list.notSent}
        <button type="button" onClick={retry}>
          {words.tryAgain}
        </button>
        <button type="button" onClick={drop}>
          {words.delete}
        </button>
      </span>
    )
  }
  if (!underway || !late) return null
  return (
    <span class="send-st">
      <Icon name="clock" size={14} />
      {words.list.sending}
    </span>
  )
}
