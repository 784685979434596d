import { signal } from '@preact/signals'
import { strings } from '../../i18n/i18n.ts'
import '../../i18n/panel-strings.ts'
import { persisted } from '../../store/persisted.ts'
import { viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isInviteOpen, openAdministration } from '../administration/open-administration.ts'
import './FirstSteps.css'

const entry = persisted(`bothy owner card ${viewer}`)
const isPutAway = signal(entry.read() === 'away')

function putAway() {
  isPutAway.value = true
  entry.write('away')
}

/** First tasks of an owner, until put away on this device. */
export function OwnerCard() {
  const say = strings.ownerCard
  if (isPutAway.value) return null
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
