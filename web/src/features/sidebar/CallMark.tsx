import type { ChannelId, Username } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { callIn, peopleInCalls, presentIn } from '../../store/calls.ts'
import { displayed } from '../../store/people/people.ts'
import { Icon } from '../../ui/Icon.tsx'

interface Props {
  channel: ChannelId
  /** The other one of a direct conversation, who may be in a call elsewhere. */
  person?: Username | undefined
}

/** Marks the row of a channel with a call in progress, else of a person who is in a call of another channel. */
export function CallMark({ channel, person }: Props) {
  const call = callIn(channel)
  const there = call ? presentIn(call) : []
  if (there.length > 0) {
    const label = strings.sidebar.callRunning(there.length)
    return (
      <span
        class="sidebar-row-call"
        role="img"
        aria-label={label}
        title={strings.startCall.goingOn(there.map(displayed))}
      >
        <Icon name="headphones" size={14} />
        <span class="tabular-numbers">{there.length}</span>
      </span>
    )
  }
  if (person === undefined || !peopleInCalls.value.has(person)) return null
  return (
    <span
      class="sidebar-row-call"
      role="img"
      aria-label={strings.people.inCall}
      title={strings.people.inCall}
    >
      <Icon name="headphones" size={14} />
    </span>
  )
}
