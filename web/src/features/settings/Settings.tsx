import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { LeaveDialog } from '../../common/LeaveDialog.tsx'
import { strings } from '../../i18n/i18n.ts'
import { signOut } from '../../net/account/sign-out.ts'
import { isPhone, me } from '../../store/store.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useLayer } from '../../ui/layers.ts'
import { useOneStop } from '../../ui/one-stop.ts'
import { openAdministration } from '../administration/open-administration.ts'
import { Appearance } from './Appearance.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { Devices } from './Devices.tsx'
import { KeyboardSettings } from './KeyboardSettings.tsx'
import { Notifications } from './Notifications.tsx'
import { SETTINGS_PAGES, type SettingsPage, settingsAddress, settingsPage } from './open-settings.ts'
import { Password } from './Password.tsx'
import { Profile } from './Profile.tsx'
import { Sessions } from './Sessions.tsx'
import { Tokens } from './Tokens.tsx'
import { asking, closeSettings, isUnsaved, leaveFor, showSettingsList } from './unsaved.ts'
import '../../ui/form.css'
import './Settings.css'

interface PageProps {
  close: () => unknown
}

const PAGES: { [P in SettingsPage]: { icon: string; part: ComponentType<PageProps> } } = {
  profile: { icon: 'user', part: Profile },
  appearance: { icon: 'sun', part: Appearance },
  notifications: { icon: 'bell', part: Notifications },
  devices: { icon: 'speaker', part: Devices },
  keyboard: { icon: 'keyboard', part: KeyboardSettings },
  password: { icon: 'key', part: Password },
  sessions: { icon: 'device', part: Sessions },
  tokens: { icon: 'plug', part: Tokens },
  delete: { icon: 'trash', part: DeleteAccount },
}

/** ui.md 5.9. A phone shows the list first, then one page at a time. */
export function Settings() {
  const open = settingsPage.value ?? 'profile'
  const page = open === 'list' && !isPhone.value ? 'profile' : open
  const close = closeSettings
  // On a phone a page that was opened from the list is a layer above it.
  const hasList = useRef(false)
  if (page === 'list') hasList.current = true
  return (
    <Dialog
      label={strings.settings.title}
      onClose={close}
      inside={`settings${page === 'list' ? ' is-list' : ''}`}
      view={{ key: 'settings', address: hasList.current ? '#/settings' : settingsAddress(page) }}
    >
      <Navigation page={page} close={close} />
      {page !== 'list' && <Page key={page} page={page} close={close} isAboveList={hasList.current} />}
      <LeaveQuestion />
    </Dialog>
  )
}

/** Guests make no tokens. */
const isForViewer = (page: SettingsPage) => page !== 'tokens' || me.value?.role !== 'guest'

function Navigation({ page, close }: PageProps & { page: SettingsPage | 'list' }) {
  const nav = useRef<HTMLElement>(null)
  useOneStop(nav)
  return (
    <nav ref={nav} class="settings-nav" aria-label={strings.settings.title}>
      <div class="settings-nav-head">
        <h2>{strings.settings.title}</h2>
        <CloseButton close={close} />
      </div>
      {SETTINGS_PAGES.filter(isForViewer).map(name => (
        <button
          type="button"
          key={name}
          class={`sidebar-row${name === page ? ' is-active' : ''}${name === 'password' ? ' is-apart' : ''}`}
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
          <span class="sidebar-row-label">{strings.settings.pages[name]}</span>
          <Icon name="chev-right" size={16} flip />
        </button>
      ))}
      {mayMakeBots() && (
        <button
          type="button"
          class="sidebar-row"
          onClick={() =>
            leaveFor(() => {
              closeSettings()
              openAdministration('integrations')
            })
          }
        >
          <Icon name="plug" />
          <span class="sidebar-row-label">{strings.bots.title}</span>
          <Icon name="chev-right" size={16} flip />
        </button>
      )}
      <button
        type="button"
        class="sidebar-row settings-sign-out"
        onClick={() => leaveFor(() => void signOut())}
      >
        <Icon name="logout" flip />
        <span class="sidebar-row-label">{strings.status.signOut}</span>
      </button>
    </nav>
  )
}

/** Administrators have the page of bots in their list. */
function mayMakeBots(): boolean {
  const may = me.value?.may ?? []
  return may.includes('make_bots') && !may.includes('administer')
}

function Page({ page, close, isAboveList }: PageProps & { page: SettingsPage; isAboveList: boolean }) {
  useLayer(isAboveList ? showSettingsList : undefined, {
    key: 'settings page',
    address: settingsAddress(page),
  })
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
    <div class="settings-main">
      <div class="settings-head">
        <IconButton
          icon="chev-left"
          label={strings.settings.back}
          iconSize={20}
          flip
          class="settings-back"
          onClick={showSettingsList}
        />
        <h2 ref={heading} tabIndex={-1}>
          {strings.settings.pages[page]}
        </h2>
        <CloseButton close={close} />
      </div>
      <Part close={close} />
    </div>
  )
}

function CloseButton({ close }: PageProps) {
  return <IconButton icon="x" label={strings.settings.close} onClick={close} />
}

function LeaveQuestion() {
  const next = asking.value
  if (!next) return null
  const stay = () => {
    asking.value = undefined
  }
  const leave = () => {
    stay()
    isUnsaved.value = false
    next()
  }
  return <LeaveDialog stay={stay} leave={leave} />
}
