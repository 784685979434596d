import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { words } from '../../i18n/i18n.ts'
import { signOut } from '../../net/sign-out.ts'
import { isPhone } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Lazy, lazy } from '../../ui/lazy.tsx'
import { useOneStop } from '../../ui/one-stop.ts'
import { Appearance } from './Appearance.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { KeyboardSettings } from './KeyboardSettings.tsx'
import { Notifications } from './Notifications.tsx'
import { SETTINGS_PAGES, type SettingsPage, settingsPage } from './open-settings.ts'
import { Password } from './Password.tsx'
import { Profile } from './Profile.tsx'
import { Sessions } from './Sessions.tsx'
import { asking, closeSettings, isUnsaved, leaveFor } from './unsaved.ts'
import './Settings.css'
import { own, useSettingsWords } from './words.ts'

/** Fetched separately: it depends on the code for calls. */
const Devices = lazy(() => import('./Devices.tsx').then(module => module.Devices))

interface PageProps {
  close: () => void
}

const PAGES: { [P in SettingsPage]: { icon: string; part: ComponentType<PageProps> } } = {
  profile: { icon: 'user', part: Profile },
  appearance: { icon: 'sun', part: Appearance },
  notifications: { icon: 'bell', part: Notifications },
  devices: { icon: 'speaker', part: () => <Lazy of={Devices} /> },
  keyboard: { icon: 'keyboard', part: KeyboardSettings },
  password: { icon: 'key', part: Password },
  sessions: { icon: 'device', part: Sessions },
  delete: { icon: 'trash', part: DeleteAccount },
}

/** Returns the dialog once its words are loaded. */
export async function ready() {
  await useSettingsWords()
  return Settings
}

/** ui.md 5.9. A phone shows the list first, then one page at a time. */
function Settings() {
  const open = settingsPage.value
  if (open === undefined) return null
  const page = open === 'list' && !isPhone.value ? 'profile' : open
  const close = closeSettings
  return (
    <Dialog label={own.settings.title} onClose={close} inside={`setd${page === 'list' ? ' setd-list' : ''}`}>
      <Navigation page={page} close={close} />
      {page !== 'list' && <Page key={page} page={page} close={close} />}
      <LeaveDialog />
    </Dialog>
  )
}

function Navigation({ page, close }: PageProps & { page: SettingsPage | 'list' }) {
  const nav = useRef<HTMLElement>(null)
  useOneStop(nav)
  return (
    <nav ref={nav} class="set-nav" aria-label={own.settings.title}>
      <div class="set-nav-h">
        <h2>{own.settings.title}</h2>
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
          <span class="lbl">{own.settings.pages[name]}</span>
          <Icon name="chev-right" size={16} flip />
        </button>
      ))}
      <button type="button" class="row set-out" onClick={() => leaveFor(() => void signOut())}>
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
    // On a phone the focused list entry has disappeared.
    if (isPhone.peek()) heading.current?.focus()
    return () => {
      isUnsaved.value = false
    }
  }, [])
  return (
    <div class="set-main">
      <div class="set-h">
        <IconButton
          icon="chev-left"
          label={own.settings.back}
          iconSize={20}
          flip
          class="set-back"
          onClick={() =>
            leaveFor(() => {
              settingsPage.value = 'list'
            })
          }
        />
        <h2 ref={heading} tabIndex={-1}>
          {own.settings.pages[page]}
        </h2>
        <CloseButton close={close} />
      </div>
      <Part close={close} />
    </div>
  )
}

function CloseButton({ close }: PageProps) {
  return <IconButton icon="x" label={own.settings.close} onClick={close} />
}

function LeaveDialog() {
  const next = asking.value
  if (!next) return null
  const stay = () => {
    asking.value = undefined
  }
  return (
    <Dialog label={own.settings.leaveTitle} onClose={stay} narrow>
      <h2 class="dlg-title">{own.settings.leaveTitle}</h2>
      <p class="dlg-more">{own.settings.leaveMore}</p>
      <div class="dlg-foot">
        <button type="button" class="btn" onClick={stay}>
          {own.settings.keepEditing}
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
          {own.settings.discard}
        </button>
      </div>
    </Dialog>
  )
}
