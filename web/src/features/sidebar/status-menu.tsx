import { strings } from '../../i18n/i18n.ts'
import { chooseStatus } from '../../net/choose-status.ts'
import { signOut } from '../../net/sign-out.ts'
import { me, override } from '../../store/store.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { isInviteOpen, openAdministration } from '../administration/open-administration.ts'
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
          ...office(),
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

/** Entries that depend on the role of the viewer. */
function office(): MenuItem[] {
  const may = me.value?.may ?? []
  const items: MenuItem[] = []
  if (may.includes('invite'))
    items.push({
      label: strings.status.invite,
      icon: 'user-plus',
      apart: true,
      run: () => {
        isInviteOpen.value = true
      },
    })
  if (may.includes('administer'))
    items.push({ label: strings.status.administration, icon: 'users', run: () => openAdministration() })
  return items
}
