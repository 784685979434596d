import { copyToClipboard } from '../../../common/copy-to-clipboard.ts'
import { strings } from '../../../i18n/i18n.ts'
import { current } from '../../../store/channels/channels.ts'
import { pictured } from '../../../store/people/profiles.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { config, me, viewer, workspace } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { isInviteOpen } from '../../administration/open-administration.ts'
import { openSettings } from '../../settings/open-settings.ts'
import { isUnused } from './is-unused.ts'
import { OwnerCard } from './OwnerCard.tsx'
import './FirstSteps.css'

/** Above the first message of the first channel: tasks of an owner, and next steps while nobody has written. */
export function FirstSteps() {
  const channel = current.value
  return (
    <>
      {me.value?.role === 'owner' && <OwnerCard />}
      {channel && isUnused(channel) && <NextSteps />}
    </>
  )
}

function NextSteps() {
  const say = strings.firstSteps
  const isNotified =
    preferred.desktop.value && 'Notification' in window && Notification.permission === 'granted'
  return (
    // A feed has articles only. No element `article`, which stands for a message.
    <div class="first-steps" role="article" aria-label={say.label}>
      <Others />
      {!pictured.value.has(viewer) && (
        <div class="first-step">
          <Icon name="user" size={20} />
          <div>
            <b>{say.picture}</b>
            <p>{say.pictureMore}</p>
          </div>
          <button type="button" class="button" onClick={() => openSettings('profile')}>
            {say.choosePicture}
          </button>
        </div>
      )}
      {!isNotified && (
        <div class="first-step">
          <Icon name="bell" size={20} />
          <div>
            <b>{say.notifications}</b>
            <p>{say.notificationsMore}</p>
          </div>
          <button type="button" class="button" onClick={() => openSettings('notifications')}>
            {say.openNotifications}
          </button>
        </div>
      )}
    </div>
  )
}

/** How the others come in, which the sign-up mode decides. */
function Others() {
  const say = strings.firstSteps
  // An older server does not name it.
  const { address = location.origin } = config.value
  const isOpen = (workspace.value?.signup_mode ?? 'open') === 'open'
  if (!isOpen && !me.value?.may.includes('invite')) return null
  const invite = () => {
    isInviteOpen.value = true
  }
  return (
    <div class="first-step">
      <Icon name="user-plus" size={20} />
      <div>
        <b>{say.others}</b>
        {isOpen ? (
          <p>
            {address === null ? (
              say.onlyHere
            ) : (
              <>
                {say.othersMore} <bdi class="first-steps-address">{address}</bdi>
              </>
            )}
          </p>
        ) : (
          <p>{say.inviteMore}</p>
        )}
      </div>
      {isOpen && address !== null && (
        <button type="button" class="button" onClick={() => void copyToClipboard(address, say.copied)}>
          {say.copy}
        </button>
      )}
      {!isOpen && (
        <button type="button" class="button" onClick={invite}>
          {say.invite}
        </button>
      )}
    </div>
  )
}
