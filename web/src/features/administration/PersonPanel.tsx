import { useEffect, useRef, useState } from 'preact/hooks'
import type { AccountPayload } from '#shared/domain/payloads/administration.ts'
import { maySetRole, ROLES, type Role } from '#shared/domain/roles.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { actOnAccount, resetLink, setRole } from '../../net/requests/administration.ts'
import { viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Question } from './account-menu.tsx'
import { act } from './act.ts'
import { SidePanel } from './SidePanel.tsx'
import './PersonPanel.css'

export interface ResetLinkShown {
  name: string
  url: string
}

interface Props {
  account: AccountPayload
  /** The role of the viewer; undefined if the viewer may not act on the person. */
  own: Role | undefined
  isLastOwner: boolean
  /** Shown once. */
  link: ResetLinkShown | undefined
  close: () => void
  changed: () => void
  showLink: (link: ResetLinkShown) => void
  ask: (question: Question) => void
}

/** A person beside the list: role, sessions, a way in, and a way out. */
export function PersonPanel(props: Props) {
  const { account, own, close, ask } = props
  const { username, display_name, title, email, created_ts: created, state } = account
  const texts = strings.administration
  const mayAct = own !== undefined && username !== viewer
  return (
    <SidePanel
      id="person-panel"
      title={display_name ?? username}
      label={username}
      closeLabel={texts.closePerson(username)}
      close={close}
      beside={
        mayAct &&
        state === 'active' && (
          <IconButton icon="pencil" label={texts.editPerson(username)} onClick={() => ask('edit')} />
        )
      }
    >
      <div class="side-panel-parts">
        <div class="person-panel-who">
          <Avatar name={username} size={64} presence />
          <div>
            <bdi>{username}</bdi>
            {title !== null && <span dir="auto">{title}</span>}
            {email !== null && <span>{email}</span>}
            <span class="hint">{texts.hereSince(created)}</span>
          </div>
        </div>
        <RolePart {...props} />
        {state === 'active' && <Sessions {...props} mayAct={mayAct} />}
        {mayAct && state === 'active' && <WayIn {...props} />}
        {mayAct && <WayOut {...props} />}
      </div>
    </SidePanel>
  )
}

function RolePart({ account: { username, role, state }, own, isLastOwner, changed, ask }: Props) {
  const texts = strings.administration
  const choices =
    own !== undefined && state === 'active'
      ? ROLES.filter(one => one === role || maySetRole(own, role, one))
      : []
  /** Until the list is read again. */
  const [picked, setPicked] = useState<Role>()
  useEffect(() => setPicked(undefined), [username, role])
  const shown = picked ?? role
  const choose = async (one: Role) => {
    if (one === 'guest') return ask('guest')
    setPicked(one)
    if (!(await act(() => setRole(username, one), username, changed))) setPicked(undefined)
  }
  return (
    <fieldset class="person-panel-part">
      <legend>{texts.role}</legend>
      {choices.length < 2 ? (
        <p>
          {texts.roles[role]}
          {isLastOwner && <span class="hint admin-note">{texts.oneOwner}</span>}
        </p>
      ) : (
        choices.map(one => (
          <label key={one} class={one === shown ? 'person-role is-on' : 'person-role'}>
            <input
              type="radio"
              name="person-role"
              checked={one === shown}
              onChange={() => void choose(one)}
            />
            <span>
              <b>{texts.roles[one]}</b>
              <span class="hint">{texts.roleHints[one]}</span>
            </span>
          </label>
        ))
      )}
    </fieldset>
  )
}

/** Their number; devices are listed to their owner alone. */
function Sessions({ account, mayAct, ask }: Props & { mayAct: boolean }) {
  const { sessions, last_seen_ts: seen } = account
  const texts = strings.administration
  return (
    <section class="person-panel-part" aria-labelledby="person-sessions">
      <h3 id="person-sessions">{texts.sessions}</h3>
      <div class="person-panel-line">
        <span>
          {texts.sessionCount(sessions)}
          <span class="hint admin-note">
            {texts.lastHere}: {seen === null ? texts.never : `${strings.date(seen)}, ${strings.time(seen)}`}
          </span>
        </span>
        {mayAct && (
          <button type="button" class="button" onClick={() => ask('sessions')}>
            {texts.endSessions}
          </button>
        )}
      </div>
    </section>
  )
}

function WayIn({ account: { username }, link, showLink }: Props) {
  const texts = strings.administration
  const copy = useRef<HTMLButtonElement>(null)
  useEffect(() => copy.current?.focus(), [link])
  const make = () =>
    act(
      () => resetLink(username),
      username,
      ({ reset_url: url }) => showLink({ name: username, url }),
    )
  return (
    <section class="person-panel-part" aria-labelledby="person-way-in">
      <h3 id="person-way-in">{texts.cannotSignIn}</h3>
      <div role="status">
        {link && (
          <>
            <div class="admin-link">
              <code>{link.url}</code>
              <button
                ref={copy}
                type="button"
                class="button"
                onClick={() => void copyToClipboard(link.url, texts.copied)}
              >
                {texts.copy}
              </button>
            </div>
            <p class="hint">{texts.resetHint}</p>
          </>
        )}
      </div>
      {!link && (
        <button type="button" class="button" onClick={() => void make()}>
          <Icon name="key" size={16} />
          {texts.resetLink}
        </button>
      )}
    </section>
  )
}

function WayOut({ account: { username, state }, own, changed, ask }: Props) {
  const texts = strings.administration
  const reactivate = () => void act(() => actOnAccount(username, 'reactivate'), username, changed)
  return (
    <section class="person-panel-part person-panel-way-out" aria-label={texts.actions}>
      {state === 'deactivated' ? (
        <button type="button" class="button" onClick={reactivate}>
          {texts.reactivate}
        </button>
      ) : (
        <>
          <button type="button" class="button button-danger-text" onClick={() => ask('deactivate')}>
            <Icon name="logout" size={16} />
            {texts.deactivate}
          </button>
          <p class="hint">{texts.deactivateHint}</p>
        </>
      )}
      {own === 'owner' && (
        <button type="button" class="button button-danger-text" onClick={() => ask('delete')}>
          <Icon name="trash" size={16} />
          {texts.deleteAccount}
        </button>
      )}
    </section>
  )
}
