/** Notifies of reminders, and of scheduled messages that were not sent, like of a mention; in quiet times at their end. */
import { effect, untracked } from '@preact/signals'
import type { InboxItem } from '#shared/domain/payloads/inbox.ts'
import { plainText } from '../../common/one-line.ts'
import { strings } from '../../i18n/i18n.ts'
import { leads } from '../../net/tabs/leader.ts'
import { askForChime, inFront, tabs } from '../../net/tabs/tabs.ts'
import { displayed, statusOf } from '../../store/people/people.ts'
import { choicesNow } from '../../store/preferences/preferences.ts'
import { hashOf } from '../../store/route.ts'
import { inbox, NO_INBOX_YET, viewer } from '../../store/store.ts'
import { popUp } from './desktop.ts'
import { newReminders } from './new-reminders.ts'
import { outcomeOf, placeOf } from './outcomes.ts'

const LONGEST_TEXT = 200

export function startNotifyingReminders() {
  const leading = leads('notify')
  const freshAmong = newReminders()
  effect(() => {
    const page = inbox.value
    if (page === NO_INBOX_YET) return
    const fresh = freshAmong(page.items, statusOf(viewer)?.quiet ?? false)
    if (leading.peek()) untracked(() => fresh.forEach(notify))
  })
}

function notify({ id, kind, channel, message_id, actors, content, is_file }: InboxItem) {
  // The open channel does not show that a message in it is due.
  const place = placeOf(channel, inFront.peek()) === 'background' ? 'background' : 'elsewhere'
  const { sound, desktop } = outcomeOf('mention', channel, place, choicesNow(), Date.now())
  if (sound) askForChime()
  if (!desktop) return
  void popUp({
    title:
      kind === 'failed'
        ? strings.activity.did.failed()
        : strings.activity.did.reminder(actors.map(displayed)),
    body: (is_file ? content : plainText(content)).slice(0, LONGEST_TEXT),
    tag: `bothy reminder ${id}`,
    hash: hashOf(channel, message_id ?? undefined),
    calls: true,
    silent: !sound || tabs.peek().some(tab => tab.canSound),
    stays: false,
  })
}
