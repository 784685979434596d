import type { PresenceOverride } from '#shared/domain/payloads.ts'
import { strings } from '../../i18n/i18n.ts'
import { setPresenceOverride } from '../../net/endpoints.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { signOut } from '../../net/sign-out.ts'
import { changePresence } from '../../store/presence.ts'
import { override, viewer } from '../../store/store.ts'
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

/** Shown at once; the next presence frame brings the state that others see. */
export async function chooseStatus(choice: PresenceOverride | 'auto') {
  const before = override.value
  override.value = choice === 'auto' ? null : choice
  changePresence([[viewer, choice === 'auto' ? 'active' : choice]], [])
  try {
    await setPresenceOverride(choice)
  } catch (error) {
    tolerateFailure(error)
    override.value = before
  }
}
