import { strings } from '../i18n/i18n.ts'
import { isBot, personOf, statusOf } from '../store/people/people.ts'
import { Icon } from '../ui/Icon.tsx'
import { emojiOf } from './emoji.ts'

/** The emoji of a person's status, whose words are its name, and a moon while it pauses notifications. */
export function StatusMark({ name }: { name: string }) {
  const status = statusOf(name)
  if (!status) return null
  const label = [status.text, status.quiet && strings.status.quiet].filter(Boolean).join(', ')
  return (
    <span
      class="status-mark"
      role="img"
      aria-label={label || strings.status.title}
      title={label || undefined}
    >
      {status.emoji ? <span class="emoji">{emojiOf(status.emoji)}</span> : <Icon name="message" size={14} />}
      {status.quiet && <Icon name="moon" size={14} />}
    </span>
  )
}

/** The role of somebody who writes announcements. */
export function RoleTag({ name, isManager }: { name: string; isManager: boolean }) {
  const role = personOf(name)?.role
  // Until the people are known, a manager may be an owner.
  if (role === undefined) return null
  const word = role === 'owner' || role === 'admin' ? role : isManager && 'manager'
  return word ? <span class="person-tag">{strings.people.roles[word]}</span> : null
}

/** The word "guest" or "bot" beside a name. `isBot`: known from elsewhere, as of an account that is gone. */
export function PersonTag({ name, isBot: isKnownBot = false }: { name: string; isBot?: boolean }) {
  const person = personOf(name)
  const word = isKnownBot || isBot(name) ? 'bot' : person?.role === 'guest' && 'guest'
  return word ? <span class="person-tag">{strings.people[word]}</span> : null
}
