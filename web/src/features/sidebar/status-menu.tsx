import { strings } from '../../i18n/i18n.ts'
import { chooseStatus } from '../../net/choose-status.ts'
import { signOut } from '../../net/sign-out.ts'
import { override } from '../../store/store.ts'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { openSettings } from '../settings/open-settings.ts'

/** The choices and the classes of their dots. */
const CHOICES = [
  ['auto', 'presence-dot'],
  ['active', 'presence-dot'],
  ['idle', 'presence-dot is-idle'],
  ['offline', 'presence-dot is-off'],
] as const

export function openStatusMenu(event: Event) {
  openPopover(
    event.currentTarget as HTMLElement,
    strings.status.title,
    close => (
      <MenuItems
        close={close}
        items={[
          ...CHOICES.map(([choice, dot]) => ({
            label: strings.status[choice],
            before: <span class={dot} />,
            checked: (override.value ?? 'auto') === choice,
            run: () => void chooseStatus(choice),
          })),
          {
            label: strings.status.settings,
            icon: 'gear',
            apart: true,
            run: () => openSettings(),
          },
          {
            label: strings.status.signOut,
            icon: 'logout',
            flip: true,
            run: () => void signOut(),
          },
        ]}
      />
    ),
    { role: 'menu' },
  )
}
