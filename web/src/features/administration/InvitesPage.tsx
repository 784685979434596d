import { useState } from 'preact/hooks'
import { SIGNUP_MODES, type SignupMode } from '#shared/domain/roles.ts'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { changeSettings, type Invitation, invitations, revokeInvitation } from '../../net/administration.ts'
import { workspace } from '../../store/store.ts'
import { act } from './act.ts'
import { isInviteOpen } from './open-administration.ts'
import { PageEnd } from './PageEnd.tsx'
import { usePages } from './use-pages.ts'

/** The sign-up mode and the list of invitations. */
export function InvitesPage() {
  const [changes, setChanges] = useState(0)
  const list = usePages(`${changes} ${isInviteOpen.value}`, invitations)
  const changed = () => setChanges(before => before + 1)
  return (
    <>
      <Modes />
      <ul class="browse-list">
        {list.items.map(one => (
          <InvitationRow key={one.id} invitation={one} changed={changed} />
        ))}
      </ul>
      <PageEnd {...list} count={list.items.length} none={strings.administration.noInvites} />
    </>
  )
}

function Modes() {
  const say = strings.administration
  const [picked, setPicked] = useState<SignupMode>()
  const mode = picked ?? workspace.value?.signup_mode
  const choose = (next: SignupMode) => {
    const before = mode
    setPicked(next)
    void act(
      () => changeSettings({ signup_mode: next }),
      say.signUp,
      () => {},
    ).then(() => {
      // The frame of the workspace shows what counts; a refused change goes back.
      if (workspace.peek()?.signup_mode === before) setTimeout(() => setPicked(undefined), 3_000)
    })
  }
  return (
    <fieldset class="admin-modes">
      <legend class="label">{say.signUp}</legend>
      {SIGNUP_MODES.map(one => (
        <label key={one} class={one === mode ? 'browse-choice is-on' : 'browse-choice'}>
          <input
            type="radio"
            name="signup-mode"
            class="visually-hidden"
            checked={one === mode}
            onChange={() => choose(one)}
          />
          <span>
            <b>{say.modes[one].name}</b>
            <span class="hint">{say.modes[one].hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function InvitationRow({ invitation, changed }: { invitation: Invitation; changed: () => void }) {
  const { id, url, role, created_by: by, uses, max_uses: most, expires_ts: expires, valid } = invitation
  const say = strings.administration
  return (
    <li class="browse-row">
      <div class="browse-row-text">
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
