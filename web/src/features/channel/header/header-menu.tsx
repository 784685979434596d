import type { ChannelId } from '#shared/domain/units.ts'
import { levelItems, muteItem } from '../../../common/channel-level.ts'
import { strings } from '../../../i18n/i18n.ts'
import { chooseForChannel } from '../../../net/channels/sidebar-changes.ts'
import { choiceOf } from '../../../store/sidebar/channel-choices.ts'
import { MenuItems } from '../../../ui/Menu.tsx'
import { openPopover } from '../../../ui/Popover.tsx'

export function toggleFavourite(channel: ChannelId) {
  void chooseForChannel(channel, { favourite: !choiceOf(channel).favourite })
}

export function openLevelMenu(button: HTMLElement, channel: ChannelId) {
  openPopover(
    button,
    strings.header.notify,
    close => (
      <MenuItems close={close} items={[...levelItems(channel), { ...muteItem(channel), apart: true }]} />
    ),
    { role: 'menu' },
  )
}
