import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isPhone } from '../store/store.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'
import { Appearance } from './Appearance.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Devices } from './Devices.tsx'
import { KeyboardSettings } from './KeyboardSettings.tsx'
import { Notifications } from './Notifications.tsx'
import { SETTINGS_PAGES, type SettingsPage, settingsPage } from './open-settings.ts'
import { Password } from './Password.tsx'
import { Profile } from './Profile.tsx'
import { Sessions } from './Sessions.tsx'
import { asking, isUnsaved, leaveFor } from './unsaved.ts'
import './Settings.css'

interface PageProps {
  close: () => void
}

const PAGES: { [P in SettingsPage]: { icon: string; part: ComponentType<PageProps> } } = {
  profile: { icon: 'user', part: Profile },
  appearance: { icon: 'sun', part: Appearance },
  notifications: { icon: 'bell', part: Notifications },
  devices: { icon: 'speaker', part: Devices },
  keyboard: { icon: 'keyboard', part: KeyboardSettings },
  password: { icon: 'key', part: Password },
  sessions: { icon: 'device', part: Sessions },
  delete: { icon: 'trash', part: DeleteAccount },
}

/** ui.md 5.9. On a phone the list comes first, then one page at a time. */
export function Settings() {
  const open = settingsPage.value
  if (open === undefined) return null
  const page = open === 'list' && !isPhone.value ? 'profile' : open
  const close = () =>
    leaveFor(() => {
      settingsPage.value = undefined
    })
  return (
    <Dialog
      label={words.settings.title}
      onClose={close}
      inside={`setd${page === 'list' ? ' setd-list' : ''}`}
    >
      <Navigation page={page} close={close} />
      {page !== 'list' && <Page key={page} page={page} close={close} />}
      <LeaveDialog />
    </Dialog>
  )
}

function Navigation({ page, close }: PageProps & { page: SettingsPage | 'list' }) {
  return (
    <nav class="set-nav" aria-label={words.settings.title}>
      <div class="set-nav-h">
        <h2>{words.settings.title}</h2>
        <CloseButton close={close} />
      </div>
      {SETTINGS_PAGES.map(name => (
        <button
          type="button"
          key={name}
          class={`row${name === page ? ' active' : ''}${name === 'password' ? ' apart' : ''}`}
          aria-current={name === page ? 'page' : undefined}
          autofocus={name === page}
          onClick={() =>
            name !== page &&
            leaveFor(() => {
              settingsPage.value = name
            })
          }
        >
          <Icon name={PAGES[name].icon} />
          <span class="lbl">{words.settings.pages[name]}</span>
          <Icon name="chev-right" size={16} flip />
        </button>
      ))}
      <button type="button" class="row set-out" onClick={() => leaveFor(() => location.assign('/logout'))}>
        <Icon name="logout" flip />
        <span class="lbl">{words.status.signOut}</span>
      </button>
    </nav>
  )
}

function Page({ page, close }: PageProps & { page: SettingsPage }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const Part = PAGES[page].part
  useEffect(() => {
    // On a phone the list is gone, and the focus with it.
    if (isPhone.peek()) heading.current?.focus()
    return () => {
      isUnsaved.value = false
    }
  }, [])
  return (
    <div class="set-main">
      <div class="set-h">
        <button
          type="button"
          class="ib set-back"
          aria-label={words.settings.back}
          onClick={() =>
            leaveFor(() => {
              settingsPage.value = 'list'
            })
          }
        >
          <Icon name="chev-left" size={20} flip />
        </button>
        <h2 ref={heading} tabIndex={-1}>
          {words.settings.pages[page]}
        </h2>
        <CloseButton close={close} />
      </div>
      <Part close={close} />
    </div>
  )
}

function CloseButton({ close }: PageProps) {
  return (
    <button
      type="button"
      class="ib"
      aria-label={words.settings.close}
      title={words.settings.close}
      onClick={close}
    >
      <Icon name="x" />
    </button>
  )
}

function LeaveDialog() {
  const next = asking.value
  if (!next) return null
  const stay = () => {
    asking.value = undefined
  }
  return (
    <Dialog label={words.settings.leaveTitle} onClose={stay} narrow>
      <h2 class="dlg-title">{words.settings.leaveTitle}</h2>
      <p class="dlg-more">{words.settings.leaveMore}</p>
      <div class="dlg-foot">
        <button type="button" class="btn" onClick={stay}>
          {words.settings.keepEditing}
        </button>
        <button
          type="button"
          class="btn btn-danger"
          onClick={() => {
            asking.value = undefined
            isUnsaved.value = false
            next()
          }}
        >
          {words.settings.discard}
        </button>
      </div>
    </Dialog>
  )
}
