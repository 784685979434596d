import { useEffect, useState } from 'preact/hooks'
import { SIGNUP_MODES, type SignupMode } from '#shared/domain/roles.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import {
  changeSettings,
  type Invitation,
  invitations,
  revokeInvitation,
  settings,
} from '../../net/administration.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { host, me, workspace } from '../../store/store.ts'
import { act } from './act.ts'
import { InviteButton } from './InviteButton.tsx'
import { isInviteOpen } from './open-administration.ts'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'

/** The sign-up mode and the list of invitations. */
export function InvitesPage() {
  const [changes, setChanges] = useState(0)
  const list = usePages([changes, isInviteOpen.value], invitations)
  const changed = () => setChanges(before => before + 1)
  const own = me.value?.may.includes('invite')
  return (
    <PageFrame beside={own && <InviteButton />}>
      <Modes />
      <ul class="admin-list">
        {list.items.map(one => (
          <InvitationRow key={one.id} invitation={one} changed={changed} />
        ))}
      </ul>
      <PageEnd {...list} count={list.items.length} none={strings.administration.noInvites} />
    </PageFrame>
  )
}

function Modes() {
  const say = strings.administration
  const [picked, setPicked] = useState<SignupMode>()
  const [isLocked, setLocked] = useState(false)
  useEffect(() => {
    settings().then(
      ({ items }) => setLocked(items.some(one => one.key === 'signup_mode' && one.locked)),
      tolerateFailure,
    )
  }, [])
  const known = workspace.value?.signup_mode
  const mode = picked ?? known
  // From then on the frames of the workspace say what counts.
  useEffect(() => setPicked(undefined), [known])
  const choose = async (next: SignupMode) => {
    setPicked(next)
    if (!(await act(() => changeSettings({ signup_mode: next }), say.signUp))) setPicked(undefined)
  }
  return (
    <fieldset class="admin-modes" disabled={isLocked}>
      <legend class="label">{say.signUp}</legend>
      {SIGNUP_MODES.map(one => (
        <label key={one} class={one === mode ? 'choice-card is-on' : 'choice-card'}>
          <input
            type="radio"
            name="signup-mode"
            class="visually-hidden"
            checked={one === mode}
            onChange={() => void choose(one)}
          />
          <span>
            <b>{say.modes[one].name}</b>
            <span class="hint">{say.modes[one].hint(host)}</span>
          </span>
        </label>
      ))}
      {isLocked && <p class="hint">{say.lockedMode}</p>}
    </fieldset>
  )
}

function InvitationRow({ invitation, changed }: { invitation: Invitation; changed: () => void }) {
  const { id, url, role, created_by: by, uses, max_uses: most, expires_ts: expires, valid } = invitation
  const say = strings.administration
  return (
    <li class="admin-row">
      <div>
        <code class="invite-url">{url}</code>
        <span class="hint">
          {say.invitation(by, role === 'guest' ? say.guests : say.members, uses, most)}{' '}
          {valid ? say.ends(expires, null) : say.ended}
        </span>
      </div>
      {valid && (
        <>
          <button type="button" class="button" onClick={() => void copyToClipboard(url, say.copied)}>
            {say.copy}
          </button>
          <button
            type="button"
            class="button button-quiet button-danger-text"
            onClick={() => void act(() => revokeInvitation(id), say.link, changed)}
          >
            {say.endLink}
          </button>
        </>
      )}
    </li>
  )
}
