/** All strings of the client in English, by area. A section belongs to one area. */
import { activity } from './activity.ts'
import type { administration } from './administration.ts'
import type { audit } from './audit.ts'
import type { backups } from './backups.ts'
import type { browse } from './browse.ts'
import type { calls } from './calls.ts'
import { cards } from './cards.ts'
import { channel } from './channel.ts'
import { common } from './common.ts'
import type { details } from './details.ts'
import type { dialogs } from './dialogs.ts'
import type { files } from './files.ts'
import type { finding } from './finding.ts'
import type { firstSteps } from './first-steps.ts'
import type { groups } from './groups.ts'
import { joining } from './joining.ts'
import type { keyboard } from './keyboard.ts'
import type { later } from './later.ts'
import { navigation } from './navigation.ts'
import { notifications } from './notifications.ts'
import type { office } from './office.ts'
import { people } from './people.ts'
import { privateChannels } from './private-channels.ts'
import type { privateDialog } from './private-dialog.ts'
import type { rowMenu } from './row-menu.ts'
import type { search } from './search.ts'
import type { settings } from './settings.ts'
import type { shares } from './shares.ts'
import { sidebar } from './sidebar.ts'
import type { telling } from './telling.ts'
import type { threads } from './threads.ts'

const firstLoad = {
  ...common,
  ...sidebar,
  ...channel,
  ...cards,
  ...people,
  ...privateChannels,
  ...activity,
  ...joining,
  ...navigation,
  ...notifications,
}

/** With the strings of calls, panels and settings once their chunks import the files `…-strings.ts`. */
export const en = firstLoad as typeof firstLoad &
  typeof administration &
  typeof audit &
  typeof backups &
  typeof browse &
  typeof calls &
  typeof details &
  typeof dialogs &
  typeof files &
  typeof finding &
  typeof firstSteps &
  typeof groups &
  typeof keyboard &
  typeof later &
  typeof office &
  typeof privateDialog &
  typeof rowMenu &
  typeof search &
  typeof settings &
  typeof shares &
  typeof telling &
  typeof threads

/** Every language has exactly these strings. */
export type Strings = typeof en
