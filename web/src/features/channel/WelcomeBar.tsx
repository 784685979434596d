import { strings } from '../../i18n/i18n.ts'
import { pictured } from '../../store/people/profiles.ts'
import { endWelcome, installOffer } from '../../store/preferences/newcomer.ts'
import { preferred } from '../../store/preferences/preferences.ts'
import { me, viewer, workspaceName } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { openSettings } from '../settings/open-settings.ts'
import './WelcomeBar.css'

/** Below the header after a sign-up by an invitation: the username, and offers that are not taken yet. */
export function WelcomeBar() {
  const say = strings.welcomeBar
  const isNamed = me.value?.display_name != null
  const isPictured = pictured.value.has(viewer)
  return (
    <section class="welcome-bar" aria-label={say.title(workspaceName.value)}>
      <p>
        <b>{say.title(workspaceName.value)}</b> {say.signIn} <bdi>{viewer}</bdi>
      </p>
      <div class="welcome-bar-offers">
        {!(isNamed && isPictured) && (
          <button type="button" class="button" onClick={() => openSettings('profile')}>
            {isNamed ? say.picture : isPictured ? say.name : say.nameAndPicture}
          </button>
        )}
        {!isNotified() && (
          <button type="button" class="button" onClick={() => openSettings('notifications')}>
            {say.notifications}
          </button>
        )}
        <HomeScreen />
      </div>
      <IconButton icon="x" label={say.close} onClick={endWelcome} />
    </section>
  )
}

/** Browsers without notifications have nothing to turn on. */
const isNotified = () =>
  !('Notification' in window) || (preferred.desktop.value && Notification.permission === 'granted')

/** Chromium installs by its own dialog. Safari on iPhones has no such call, so a sentence tells the way. */
function HomeScreen() {
  const say = strings.welcomeBar
  const offer = installOffer.value
  if (!offer && !isSafariOfPhone()) return null
  const add = async () => {
    if (!offer) return showToast(say.byShare, { icon: 'info' })
    const { outcome } = await offer.prompt()
    if (outcome === 'accepted') installOffer.value = undefined
  }
  return (
    <button type="button" class="button" onClick={() => void add()}>
      {say.homeScreen}
    </button>
  )
}

const isSafariOfPhone = () =>
  /iPhone|iPad/.test(navigator.userAgent) && !matchMedia('(display-mode: standalone)').matches
