import { Avatar } from '../../common/Avatar.tsx'
import { mutedLabel } from '../../common/mute.ts'
import { StatusMark } from '../../common/StatusMark.tsx'
import { strings } from '../../i18n/i18n.ts'
import { displayed, statusOf } from '../../store/people/people.ts'
import { isMuted } from '../../store/preferences/preferences.ts'
import { isConnected, presenceOf, viewer } from '../../store/store.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { part } from '../../ui/part.ts'
import { openSettings } from '../settings/open-settings.ts'
import './Me.css'

export const ownMenus = part<typeof import('./own-menus.tsx')>()

const menus = (run: (module: typeof import('./own-menus.tsx'), button: HTMLElement) => void) => {
  return (event: Event) => {
    const button = event.currentTarget as HTMLElement
    ownMenus.use(module => run(module, button))
  }
}

export const openStatusMenu = menus((module, button) => module.openStatusMenu(button))

/** Foot of the sidebar: the viewer, the mute button and the settings (ui.md 5.2). */
export function Me() {
  const muted = isMuted.value
  const isPaused = statusOf(viewer)?.quiet
  const bell = muted ? mutedLabel() : isPaused ? strings.status.quiet : strings.mute.on
  return (
    <div class="sidebar-me">
      <button type="button" class="sidebar-me-person" aria-haspopup="menu" onClick={openStatusMenu}>
        <Avatar name={viewer} size={32} presence />
        <span class="sidebar-me-text">
          <b>{displayed(viewer)}</b>
          <span>{stateNow()}</span>
          <span class="visually-hidden">{strings.sidebar.myStatus}</span>
        </span>
      </button>
      <IconButton
        icon={muted ? 'bell-off' : isPaused ? 'moon' : 'bell'}
        label={bell}
        aria-haspopup="menu"
        onClick={menus((module, button) => module.openMuteMenu(button))}
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
  const status = statusOf(viewer)
  if (status)
    return (
      <>
        <StatusMark name={viewer} /> {status.text}
      </>
    )
  return isMuted.value ? mutedLabel() : strings.presence[presenceOf(viewer)]
}
