import { IconButton } from '../../ui/IconButton.tsx'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'

/** Opens the menu of a row. */
export function ActionsButton({ label, items }: { label: string; items: () => MenuItem[] }) {
  return (
    <IconButton
      icon="more"
      label={label}
      aria-haspopup="menu"
      onClick={event =>
        openPopover(
          event.currentTarget as HTMLElement,
          label,
          close => <MenuItems close={close} items={items()} />,
          { role: 'menu' },
        )
      }
    />
  )
}
