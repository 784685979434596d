/** All strings of the client in English, by area. A section belongs to one area. */
import { activity } from './activity.ts'
import { calls } from './calls.ts'
import { cards } from './cards.ts'
import { channel } from './channel.ts'
import { common } from './common.ts'
import { keyboard } from './keyboard.ts'
import { notifications } from './notifications.ts'
import { people } from './people.ts'
import { privateChannels } from './private-channels.ts'
import { search } from './search.ts'
import type { settings } from './settings.ts'
import { sidebar } from './sidebar.ts'

const firstLoad = {
  ...common,
  ...sidebar,
  ...channel,
  ...cards,
  ...people,
  ...privateChannels,
  ...search,
  ...activity,
  ...keyboard,
  ...calls,
  ...notifications,
}

/** With the strings of the settings once `settings-strings.ts` is loaded, which only their chunk imports. */
export const en = firstLoad as typeof firstLoad & typeof settings

/** Every language has exactly these strings. */
export type Strings = typeof en
