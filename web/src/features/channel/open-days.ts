/** The menu of a day line: jumps to a day of a channel. */
import { h } from 'preact'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { openPopover } from '../../ui/Popover.tsx'
import { part } from '../../ui/part.ts'

export const dayMenu = part<typeof import('./timeline/DayMenu.tsx')>()

/** `anchor`: undefined for the action of Jump. */
export function openDays(anchor: HTMLElement | undefined, channel: Channel) {
  dayMenu.use(({ DayMenu }) =>
    openPopover(anchor, strings.days.label, close => h(DayMenu, { channel, close })),
  )
}
