import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import '../../i18n/panel-strings.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { preferences, setPreferences } from '../../net/lazy-endpoints.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isInviteOpen, openAdministration } from '../administration/open-administration.ts'
import './FirstSteps.css'

/** Undefined until the preferences are known. */
const isPutAway = signal<boolean | undefined>(undefined)

function putAway() {
  isPutAway.value = true
  setPreferences({ owner_card: false }).catch(tolerateFailure)
}

/** First tasks of an owner, until put away on one of their devices. */
export function OwnerCard() {
  useEffect(() => {
    if (isPutAway.peek() !== undefined) return
    preferences().then(({ owner_card }) => {
      isPutAway.value = !owner_card
    }, tolerateFailure)
  }, [])
  const say = strings.ownerCard
  if (isPutAway.value !== false) return null
  return (
    <div class="owner-card" role="article" aria-label={say.title}>
      <Icon name="key" size={20} />
      <b>{say.title}</b>
      <div class="owner-card-tasks">
        <button
          type="button"
          class="button"
          onClick={() => {
            isInviteOpen.value = true
          }}
        >
          {say.invite}
        </button>
        <button type="button" class="button" onClick={() => openAdministration('settings')}>
          {say.look}
        </button>
        <button type="button" class="button" onClick={() => openAdministration('ready')}>
          {say.ready}
        </button>
      </div>
      <IconButton icon="x" label={say.putAway} onClick={putAway} />
    </div>
  )
}
