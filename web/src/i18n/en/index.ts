/** All strings of the client in English, by area. A section belongs to one area. */
import { activity } from './activity.ts'
import { administration } from './administration.ts'
import { audit } from './audit.ts'
import { backups } from './backups.ts'
import { bots } from './bots.ts'
import { browse } from './browse.ts'
import { calls } from './calls.ts'
import { cards } from './cards.ts'
import { channel } from './channel.ts'
import { common } from './common.ts'
import { details } from './details.ts'
import { dialogs } from './dialogs.ts'
import { files } from './files.ts'
import { finding } from './finding.ts'
import { firstSteps } from './first-steps.ts'
import { groups } from './groups.ts'
import { hooks } from './hooks.ts'
import { hooksOut } from './hooks-out.ts'
import { joining } from './joining.ts'
import { keyboard } from './keyboard.ts'
import { later } from './later.ts'
import { navigation } from './navigation.ts'
import { notifications } from './notifications.ts'
import { office } from './office.ts'
import { people } from './people.ts'
import { privateChannels } from './private-channels.ts'
import { privateDialog } from './private-dialog.ts'
import { rowMenu } from './row-menu.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { shares } from './shares.ts'
import { sidebar } from './sidebar.ts'
import { telling } from './telling.ts'
import { threads } from './threads.ts'
import { tokens } from './tokens.ts'

export const en = {
  ...activity,
  ...administration,
  ...audit,
  ...backups,
  ...bots,
  ...browse,
  ...calls,
  ...cards,
  ...channel,
  ...common,
  ...details,
  ...dialogs,
  ...files,
  ...finding,
  ...firstSteps,
  ...groups,
  ...hooks,
  ...hooksOut,
  ...joining,
  ...keyboard,
  ...later,
  ...navigation,
  ...notifications,
  ...office,
  ...people,
  ...privateChannels,
  ...privateDialog,
  ...rowMenu,
  ...search,
  ...settings,
  ...shares,
  ...sidebar,
  ...telling,
  ...threads,
  ...tokens,
}

/** Every language has exactly these strings. */
export type Strings = typeof en
