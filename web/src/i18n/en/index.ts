/** All strings of the client in English, by area. A section belongs to one area. */
import { calls } from './calls.ts'
import { cards } from './cards.ts'
import { channel } from './channel.ts'
import { common } from './common.ts'
import { keyboard } from './keyboard.ts'
import { notifications } from './notifications.ts'
import { people } from './people.ts'
import { privateChannels } from './private-channels.ts'
import { search } from './search.ts'
import { settings } from './settings.ts'
import { sidebar } from './sidebar.ts'

export const en = {
  ...common,
  ...sidebar,
  ...channel,
  ...cards,
  ...people,
  ...privateChannels,
  ...search,
  ...keyboard,
  ...calls,
  ...notifications,
  ...settings,
}

/** Every language has exactly these strings. */
export type Strings = typeof en
