import type { PersonPayload } from '#shared/domain/payloads/people.ts'
import { StatusMark } from '../../common/StatusMark.tsx'
import { timeIn } from '../../common/time-there.ts'
import { strings } from '../../i18n/i18n.ts'
import { statusOf } from '../../store/people/people.ts'
import { viewer } from '../../store/store.ts'

/** Status, title, role and local time, as far as they are known. */
export function PersonFacts({ person }: { person: PersonPayload }) {
  const { username, title, role, timezone } = person
  const status = statusOf(username)
  const time = timezone && username !== viewer ? timeIn(timezone) : undefined
  return (
    <div class="profile-card-facts">
      {status && (
        <p>
          <StatusMark name={username} /> {status.text}
          {status.until !== null && <span class="hint"> {strings.ownStatus.endsAt(status.until)}</span>}
        </p>
      )}
      {title && <p dir="auto">{title}</p>}
      {role !== 'member' && <p>{strings.profileCard.roles[role]}</p>}
      {time && <p class="tabular-numbers">{strings.profileCard.localTime(time, timezone!)}</p>}
    </div>
  )
}
