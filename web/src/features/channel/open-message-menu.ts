import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Channel } from '../../store/channels.ts'
import { withModule } from '../../ui/lazy.tsx'
import type { Point } from '../../ui/Popover.tsx'

/** The menu is fetched with the other parts that no first screen shows. `at`: where the pointer is. */
export function openMessageMenu(anchor: HTMLElement, channel: Channel, row: MessagePayload, at?: Point) {
  withModule(
    () => import('./message-menu.tsx'),
    ({ showMessageMenu }) => showMessageMenu(anchor, channel, row, at),
  )
}
