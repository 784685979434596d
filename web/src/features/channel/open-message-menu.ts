import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Channel } from '../../store/channels/channels.ts'
import type { Point } from '../../ui/Popover.tsx'
import { part } from '../../ui/part.ts'

export const messageMenu = part<typeof import('./row/message-menu.tsx')>()

/** `at`: where the pointer is. */
export function openMessageMenu(anchor: HTMLElement, channel: Channel, row: MessagePayload, at?: Point) {
  messageMenu.use(({ showMessageMenu }) => showMessageMenu(anchor, channel, row, at))
}
