import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { textOf } from '../../common/text-of.ts'
import { strings } from '../../i18n/i18n.ts'
import { isSystemMessage } from '../../store/messages/items.ts'
import { concerns } from '../../store/messages/selectors.ts'
import { displayed } from '../../store/people/people.ts'
import { preferred } from '../../store/preferences/preferences.ts'
import { viewer } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { newAnnouncer } from './announcer.ts'

const announceTexts = newAnnouncer(
  { each: text => announce(text), many: count => announce(strings.announce.many(count)) },
  (ms, run) => setTimeout(run, ms),
)

/** Announces new rows of the open channel as the preferences allow. */
export function announceMessages(fresh: MessagePayload[]) {
  const choice = preferred.announcements.peek()
  if (choice === 'none' || document.hidden) return
  const rows = fresh.filter(row => !isSystemMessage(row) && (choice === 'all' || concerns(row, viewer)))
  announceTexts(rows.map(row => strings.announce.message(displayed(row.sender), textOf(row))))
}
