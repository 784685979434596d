/** Follows what changes in the office while the page is open. Loaded after the first screen. */
import { followAccess } from '../net/follow-access.ts'
import { followPeople } from '../net/follow-people.ts'
import { followPreferences } from '../net/follow-preferences.ts'
import { watchEmoji } from '../net/load-emoji.ts'
import { watchGroups } from '../net/load-groups.ts'
import { followReadable } from '../net/readable-channels.ts'

export function followOffice() {
  followPeople()
  watchGroups()
  watchEmoji()
  followPreferences()
  followAccess()
  followReadable()
}
