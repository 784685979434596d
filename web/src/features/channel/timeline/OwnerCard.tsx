import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import { tolerateFailure } from '../../../net/requests/failure.ts'
import { preferences, setPreferences } from '../../../net/requests/lazy-endpoints.ts'
import { peopleVersion } from '../../../store/people/people.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import {
  hasReadyTurned,
  isInviteOpen,
  isReadyNoted,
  noteReadyChecks,
  openAdministration,
} from '../../administration/open-administration.ts'
import './FirstSteps.css'

/** Undefined until the preferences are known. */
const isPutAway = signal<boolean | undefined>(undefined)
/** It was put away, and a check has turned since. */
const isBack = signal(false)

/** Looks follow each other: what is put away is noted before the next look. */
let looks: Promise<unknown> = Promise.resolve()

/** Without an answer the card stays away. */
function lookAgain() {
  looks = looks.then(hasReadyTurned).then(
    turned => {
      isBack.value = turned
    },
    () => {},
  )
}

/** Asks the server only if the card was not put away on this device. */
async function findPutAway() {
  if (isReadyNoted()) {
    isPutAway.value = true
    return
  }
  try {
    isPutAway.value = !(await preferences()).owner_card
  } catch (error) {
    tolerateFailure(error)
  }
}

function putAway() {
  isBack.value = false
  isPutAway.value = true
  looks = looks.then(noteReadyChecks).catch(() => {})
  lookAgain()
  setPreferences({ owner_card: false }).catch(tolerateFailure)
}

/** First tasks of an owner, until put away on one of their devices; then the checks, if one needs a look again. */
export function OwnerCard() {
  const version = peopleVersion.value
  useEffect(() => {
    if (isPutAway.peek() === undefined) void findPutAway()
  }, [])
  useEffect(() => {
    if (isPutAway.value && version > 0) lookAgain()
  }, [isPutAway.value, version])
  const say = strings.ownerCard
  if (isPutAway.value !== false && !isBack.value) return null
  return (
    <div class="owner-card" role="article" aria-label={isBack.value ? say.back : say.title}>
      <Icon name="key" size={20} />
      <b>{isBack.value ? say.back : say.title}</b>
      <div class="owner-card-tasks">
        {!isBack.value && <Beginnings />}
        <button type="button" class="button" onClick={() => openAdministration('ready')}>
          {say.ready}
        </button>
      </div>
      <IconButton icon="x" label={say.putAway} onClick={putAway} />
    </div>
  )
}

function Beginnings() {
  const say = strings.ownerCard
  return (
    <>
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
    </>
  )
}
