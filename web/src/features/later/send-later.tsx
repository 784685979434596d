import type { Seconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { isMac, isPhone } from '../../store/store.ts'
import { mornings, remindTimes } from '../../store/time/remind-times.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'
import { scheduleText } from './scheduled.ts'
import { openTimeMenu, timeItems } from './time-menu.tsx'

export interface LaterText {
  channel: string
  text: string
  replyTo: number | null
  hasFiles: boolean
  /** Empties the composer. */
  clear: () => void
  putBack: () => void
  sendQuietly: () => void
}

/** The menu beside the send button: when the text is to be sent. */
export function openSendLater(anchor: HTMLElement, later: LaterText) {
  const pick = async (ts: Seconds) => {
    if (await scheduleText(later, ts, later.putBack)) later.clear()
  }
  const now = new Date()
  const times = [...remindTimes(now).slice(1, 2), ...mornings(now)]
  const items: MenuItem[] = later.hasFiles
    ? [{ label: strings.scheduled.notWithFiles, icon: 'clip', run: () => {} }]
    : timeItems(anchor, times, ts => void pick(ts))
  const quietly: MenuItem = {
    label: strings.scheduled.sendQuietly,
    icon: 'bell-off',
    apart: true,
    ...(isPhone.peek() ? {} : { keys: quietKeys() }),
    run: later.sendQuietly,
  }
  openTimeMenu(anchor, strings.scheduled.sendLater, [...items, quietly])
}

const quietKeys = () => (isMac ? '⌃⌥↵' : `${strings.keys.ctrl} ${strings.keys.alt} ${strings.keys.enter}`)

/** Beside the button that sends. */
export function SendLaterButton({ open }: { open: (anchor: HTMLElement) => void }) {
  return (
    <IconButton
      icon="chev-down"
      size={24}
      class="composer-later"
      label={strings.scheduled.sendLater}
      aria-haspopup="menu"
      aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
      onClick={event => open(event.currentTarget)}
    />
  )
}
