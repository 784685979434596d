import { strings } from '../../i18n/i18n.ts'
import { me } from '../../store/store.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { openBrowse, openNewChannel } from '../browse/open-browse.ts'
import { lookItems, newSection } from './own-sections.tsx'

/** The plus beside Channels. */
export function openChannelsMenu(button: HTMLElement) {
  // Drawn again when the rights of the viewer arrive.
  openPopover(button, strings.joining.add, close => <MenuItems close={close} items={itemsOf(button)} />, {
    role: 'menu',
  })
}

function itemsOf(button: HTMLElement): MenuItem[] {
  const items: MenuItem[] = [{ label: strings.joining.browse, icon: 'search', run: openBrowse }]
  if (me.value?.may.includes('create_channels'))
    items.push({ label: strings.joining.create, icon: 'plus', run: () => openNewChannel() })
  items.push({ label: strings.sections.make, icon: 'list', run: () => newSection(button) })
  const [first, ...rest] = lookItems(button)
  return [...items, { ...first!, apart: true }, ...rest]
}
