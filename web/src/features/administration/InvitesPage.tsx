import { useEffect, useId, useState } from 'preact/hooks'
import { SIGNUP_MODES, type SignupMode } from '#shared/domain/roles.ts'
import { PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { changeSettings, invitations, settings } from '../../net/requests/administration.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { host, me, workspace } from '../../store/store.ts'
import { act } from './act.ts'
import { InvitationTable } from './InvitationTable.tsx'
import { InviteButton } from './InviteButton.tsx'
import { isInviteOpen } from './open-administration.ts'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'
import './InvitesPage.css'

/** The sign-up mode and the list of invitations. */
export function InvitesPage() {
  const [changes, setChanges] = useState(0)
  const list = usePages([changes, isInviteOpen.value], invitations)
  const changed = () => setChanges(before => before + 1)
  const own = me.value?.may.includes('invite')
  const texts = strings.administration
  return (
    <PageFrame beside={own && <InviteButton />}>
      <Modes />
      <MembersInvite />
      <PagesStart {...list} />
      <InvitationTable
        title={texts.linksThatWork}
        invitations={list.items.filter(one => one.valid)}
        changed={changed}
      />
      <InvitationTable
        title={texts.endedLinks}
        hint={texts.keptFor}
        invitations={list.items.filter(one => !one.valid)}
        changed={changed}
      />
      <PageEnd
        {...list}
        none={workspace.value?.signup_mode === 'invite' ? texts.closedDoor : texts.noInvites}
      />
    </PageFrame>
  )
}

function Modes() {
  const texts = strings.administration
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
    if (!(await act(() => changeSettings({ signup_mode: next }), texts.signUp))) setPicked(undefined)
  }
  return (
    <fieldset class="admin-modes" disabled={isLocked}>
      <legend class="label">{texts.signUp}</legend>
      {SIGNUP_MODES.map(one => (
        <label key={one}>
          <input type="radio" name="signup-mode" checked={one === mode} onChange={() => void choose(one)} />
          <span>
            <b>{texts.modes[one].name}</b>
            <span class="hint">{texts.modes[one].hint(host)}</span>
          </span>
        </label>
      ))}
      {isLocked && <p class="hint">{texts.lockedMode}</p>}
    </fieldset>
  )
}

/** The setting `who_invites` as a switch. It is not shown until it is known. */
function MembersInvite() {
  const [setting, setSetting] = useState<{ on: boolean; locked: boolean }>()
  const id = useId()
  useEffect(() => {
    settings().then(({ items }) => {
      const found = items.find(one => one.key === 'who_invites')
      if (found) setSetting({ on: found.value === 'members', locked: found.locked })
    }, tolerateFailure)
  }, [])
  const texts = strings.administration
  if (!setting) return null
  const { on, locked } = setting
  const turn = () =>
    void act(
      () => changeSettings({ who_invites: on ? 'admins' : 'members' }),
      texts.membersInvite,
      () => setSetting({ on: !on, locked }),
    )
  return (
    <div class="setting-box members-invite">
      <div class="setting-row">
        <div class="setting-text">
          <label class="setting-name" for={id}>
            {texts.membersInvite}
          </label>
          <p class="hint" id={`${id}-hint`}>
            {locked ? texts.lockedMode : texts.membersInviteHint}
          </p>
        </div>
        <button
          type="button"
          id={id}
          class="switch"
          role="switch"
          aria-checked={on}
          aria-describedby={`${id}-hint`}
          disabled={locked}
          onClick={turn}
        />
      </div>
    </div>
  )
}
