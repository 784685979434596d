import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Channel } from '../../store/channels.ts'
import type { Point } from '../../ui/Popover.tsx'
import { part } from '../../ui/part.ts'

export const messageMenu = part<typeof import('./message-menu.tsx')>()

/** `at`: where the pointer is. */
export function openMessageMenu(anchor: HTMLElement, channel: Channel, row: MessagePayload, at?: Point) {
  messageMenu.use(({ showMessageMenu }) => showMessageMenu(anchor, channel, row, at))
}
