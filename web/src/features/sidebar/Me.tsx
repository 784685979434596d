import { Avatar } from '../../common/Avatar.tsx'
import { mutedLabel, muteForAnHour, muteForever, muteUntilTomorrow, unmute } from '../../common/mute.ts'
import { strings } from '../../i18n/i18n.ts'
import { isMuted } from '../../store/preferences.ts'
import { isConnected, presenceOf, viewer } from '../../store/store.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { openSettings } from '../settings/open-settings.ts'
import { openStatusMenu } from './status-menu.tsx'

/** Foot of the sidebar: the viewer, the mute button and the settings (ui.md 5.2). */
export function Me() {
  const muted = isMuted.value
  const bell = muted ? mutedLabel() : strings.mute.on
  return (
    <div class="sidebar-me">
      <button type="button" class="sidebar-me-person" aria-haspopup="menu" onClick={openStatusMenu}>
        <Avatar name={viewer} size={32} presence />
        <span class="sidebar-me-text">
          <b>{viewer}</b>
          <span>{stateNow()}</span>
          <span class="visually-hidden">{strings.sidebar.myStatus}</span>
        </span>
      </button>
      <IconButton
        icon={muted ? 'bell-off' : 'bell'}
        label={bell}
        aria-haspopup="menu"
        onClick={openMuteMenu}
      />
      <IconButton
        icon="gear"
        label={strings.status.settings}
        aria-haspopup="dialog"
        onClick={() => openSettings()}
      />
    </div>
  )
}

function stateNow() {
  if (!isConnected()) return strings.connection.notConnected
  return isMuted.value ? mutedLabel() : strings.presence[presenceOf(viewer)]
}

function openMuteMenu(event: Event) {
  const texts = strings.mute
  openPopover(
    event.currentTarget as HTMLElement,
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
