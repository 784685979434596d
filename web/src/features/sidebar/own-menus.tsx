/** The menus at the foot of the sidebar: status and notifications. Loaded on demand. */
import '../../i18n/panel-strings.ts'
import { emojiOf } from '../../common/emoji.ts'
import { muteForAnHour, muteForever, muteUntilTomorrow, unmute } from '../../common/mute.ts'
import { strings } from '../../i18n/i18n.ts'
import { chooseStatus } from '../../net/choose-status.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { clearStatus } from '../../net/own-status.ts'
import { signOut } from '../../net/sign-out.ts'
import { statusOf } from '../../store/people.ts'
import { isMuted } from '../../store/preferences.ts'
import { me, override, viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { isInviteOpen, openAdministration } from '../administration/open-administration.ts'
import { openSettings } from '../settings/open-settings.ts'
import { isStatusOpen } from '../status/open-status.ts'

/** The choices and the classes of their dots. */
const CHOICES = [
  ['auto', 'presence-dot'],
  ['active', 'presence-dot'],
  ['idle', 'presence-dot is-idle'],
  ['offline', 'presence-dot is-off'],
] as const

export function openStatusMenu(anchor: HTMLElement) {
  openPopover(
    anchor,
    strings.status.title,
    close => (
      <MenuItems
        close={close}
        items={[
          ...ownStatus(),
          ...CHOICES.map(([choice, dot], index) => ({
            label: strings.status[choice],
            before: <span class={dot} />,
            checked: (override.value ?? 'auto') === choice,
            apart: index === 0,
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

function ownStatus(): MenuItem[] {
  const say = strings.ownStatus
  const status = statusOf(viewer)
  const open = () => {
    isStatusOpen.value = true
  }
  if (!status) return [{ label: say.set, icon: 'smile', run: open }]
  const { emoji, text, until } = status
  return [
    {
      label: text ?? say.title,
      ...(emoji ? { before: <span class="emoji">{emojiOf(emoji)}</span> } : { icon: 'message' }),
      ...(until !== null && { detail: say.endsAt(until) }),
      run: open,
    },
    { label: say.clear, icon: 'x', run: () => void clear() },
  ]
}

async function clear() {
  try {
    await clearStatus()
  } catch (error) {
    tolerateFailure(error)
    showToast(strings.ownStatus.notSaved, { icon: 'alert' })
  }
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

export function openMuteMenu(anchor: HTMLElement) {
  const texts = strings.mute
  openPopover(
    anchor,
    texts.menu,
    close => (
      <MenuItems
        close={close}
        items={[
          ...(isMuted.value ? [{ label: texts.unmute, icon: 'bell', run: unmute }] : []),
          { label: texts.hour, icon: 'bell-off', run: muteForAnHour },
          { label: texts.tomorrow, icon: 'bell-off', run: muteUntilTomorrow },
          { label: texts.forever, icon: 'bell-off', run: muteForever },
          {
            label: texts.settings,
            icon: 'gear',
            apart: true,
            run: () => openSettings('notifications'),
          },
        ]}
      />
    ),
    { role: 'menu' },
  )
}
