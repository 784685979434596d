/** The menu of a day line: jumps to a day of a channel. */
import { h } from 'preact'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { withModule } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

/** `anchor`: undefined for the action of Jump. */
export function openDays(anchor: HTMLElement | undefined, channel: Channel) {
  withModule(
    () => import('./DayMenu.tsx'),
    ({ DayMenu }) => openPopover(anchor, strings.days.label, close => h(DayMenu, { channel, close })),
  )
}
