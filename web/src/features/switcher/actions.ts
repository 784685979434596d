/** Actions in the switcher, besides places. */

import { markAllRead } from '../../common/mark-read.ts'
import { strings } from '../../i18n/i18n.ts'
import { current } from '../../store/channels/channels.ts'
import { isMuted, prefer } from '../../store/preferences/preferences.ts'
import { isMac, me } from '../../store/store.ts'
import { openNewChannel } from '../browse/open-browse.ts'
import { openDays } from '../channel/open-days.ts'
import { openKeyboardSheet } from '../keyboard-sheet/open-keyboard-sheet.ts'
import { openNewDm } from '../new-dm/open-new-dm.ts'
import { openSettings } from '../settings/open-settings.ts'

export interface Action {
  id: string
  icon: string
  label: string
  keys?: string[]
  run: () => void
}

const MUTED_FOR = 60 * 60_000

export function actions(): Action[] {
  const isDark = document.documentElement.dataset['theme'] === 'dark'
  return [
    {
      id: 'theme',
      icon: isDark ? 'sun' : 'moon',
      label: isDark ? strings.switcher.useLight : strings.switcher.useDark,
      run: () => prefer({ theme: isDark ? 'light' : 'dark' }),
    },
    {
      id: 'all-read',
      icon: 'checks',
      label: strings.rowMenu.markAllRead,
      keys: [isMac ? '⇧' : strings.keys.shift, strings.keys.esc],
      run: () => markAllRead(),
    },
    isMuted.value
      ? {
          id: 'unmute',
          icon: 'bell',
          label: strings.switcher.unmute,
          run: () => prefer({ mutedUntil: null }),
        }
      : {
          id: 'mute',
          icon: 'bell-off',
          label: strings.switcher.mute,
          run: () => prefer({ mutedUntil: Date.now() + MUTED_FOR }),
        },
    ...jumpToDay(),
    { id: 'settings', icon: 'gear', label: strings.switcher.settings, run: () => openSettings() },
    { id: 'new-dm', icon: 'compose', label: strings.sidebar.newMessage, run: openNewDm },
    ...newPrivate(),
    {
      id: 'shortcuts',
      icon: 'keyboard',
      label: strings.switcher.shortcuts,
      keys: [isMac ? '⌘' : strings.keys.ctrl, '/'],
      run: openKeyboardSheet,
    },
  ]
}

/** Guests make no private channels. */
function newPrivate(): Action[] {
  if (me.value?.role === 'guest') return []
  const run = () => openNewChannel({ isPrivate: true })
  return [{ id: 'new-private', icon: 'lock', label: strings.sidebar.newPrivate, run }]
}

function jumpToDay(): Action[] {
  const channel = current.peek()
  if (!channel) return []
  return [{ id: 'day', icon: 'calendar', label: strings.days.label, run: () => openDays(undefined, channel) }]
}
