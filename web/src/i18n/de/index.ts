/** All strings of the client in German. Avoids «du» and «Sie» where a sentence does without. */
import type { Strings } from '../en/index.ts'
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

export const de: Strings = {
  ...common,
  ...sidebar,
  ...channel,
  ...cards,
  ...people,
  ...privateChannels,
  ...search,
  ...activity,
  ...keyboard,
  ...administration,
  ...audit,
  ...backups,
  ...bots,
  ...browse,
  ...calls,
  ...hooks,
  ...hooksOut,
  ...joining,
  ...details,
  ...later,
  ...dialogs,
  ...files,
  ...finding,
  ...firstSteps,
  ...groups,
  ...privateDialog,
  ...rowMenu,
  ...navigation,
  ...notifications,
  ...office,
  ...settings,
  ...shares,
  ...telling,
  ...threads,
  ...tokens,
}
