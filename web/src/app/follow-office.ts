/** Follows what changes in the office while the page is open. Loaded after the first screen. */

import { followPreferences } from '../net/account/follow-preferences.ts'
import { followAccess } from '../net/channels/follow-access.ts'
import { followReadable } from '../net/channels/readable-channels.ts'
import { watchEmoji } from '../net/messages/load-emoji.ts'
import { restoreAttachments } from '../net/outbox/kept-attachments.ts'
import { followPeople } from '../net/people/follow-people.ts'
import { watchGroups } from '../net/people/load-groups.ts'

export function followOffice() {
  restoreAttachments()
  followPeople()
  watchGroups()
  watchEmoji()
  followPreferences()
  followAccess()
  followReadable()
}
