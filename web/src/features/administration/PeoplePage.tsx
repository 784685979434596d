import { useEffect, useState } from 'preact/hooks'
import { isAdmin, mayActOn } from '#shared/domain/roles.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Account, type AccountState, accounts, actOnAccount } from '../../net/administration.ts'
import { me, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { AccountMenu } from './account-menu.tsx'
import { act } from './act.ts'
import { GuestDialog } from './GuestDialog.tsx'
import { PageEnd } from './PageEnd.tsx'
import { usePages } from './use-pages.ts'

const STATES: AccountState[] = ['active', 'pending', 'deactivated']
/** After the last key, ms. */
const SETTLED = 200

/** The accounts in the chosen state, by name. */
export function PeoplePage() {
  const [state, setState] = useState<AccountState>('active')
  const [typed, setTyped] = useState('')
  const words = useSettled(typed.trim())
  const [changes, setChanges] = useState(0)
  const [link, setLink] = useState<{ name: string; url: string }>()
  const [guest, setGuest] = useState<string>()
  const people = usePages(`${state} ${words} ${changes}`, cursor =>
    accounts({ state, ...(words && { q: words }), ...(cursor && { cursor }) }),
  )
  const say = strings.administration
  const changed = () => setChanges(before => before + 1)
  return (
    <>
      <div class="admin-tools">
        {STATES.map(one => (
          <button
            type="button"
            key={one}
            class={one === state ? 'browse-filter is-on' : 'browse-filter'}
            aria-pressed={one === state}
            onClick={() => setState(one)}
          >
            {say.states[one]}
          </button>
        ))}
        <div class="input input-small admin-find">
          <Icon name="search" size={16} />
          <input
            value={typed}
            placeholder={say.find}
            aria-label={say.find}
            autocomplete="off"
            spellcheck={false}
            maxLength={100}
            onInput={event => setTyped(event.currentTarget.value)}
          />
        </div>
      </div>
      {link && <ResetLink {...link} />}
      <table class="admin-table">
        <thead>
          <tr>
            <th scope="col">{say.person}</th>
            <th scope="col">{say.role}</th>
            <th scope="col">{say.lastHere}</th>
            <th scope="col" class="is-number">
              {say.devices}
            </th>
            <th scope="col">
              <span class="visually-hidden">{say.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.items.map(one => (
            <Row key={one.username} account={one} changed={changed} showLink={setLink} makeGuest={setGuest} />
          ))}
        </tbody>
      </table>
      <PageEnd {...people} count={people.items.length} none={say.nobody[state]} />
      {guest && (
        <GuestDialog
          name={guest}
          close={() => {
            setGuest(undefined)
            changed()
          }}
        />
      )}
    </>
  )
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

interface RowProps {
  account: Account
  changed: () => void
  showLink: (link: { name: string; url: string }) => void
  makeGuest: (name: string) => void
}

function Row({ account, changed, showLink, makeGuest }: RowProps) {
  const { username, display_name, role, state, last_seen_ts: seen, sessions } = account
  const say = strings.administration
  const own = me.value?.role
  const canAct = own !== undefined && username !== viewer && isAdmin(own) && mayActOn(own, role)
  return (
    <tr class={state === 'deactivated' ? 'is-off' : undefined}>
      <th scope="row">
        <span class="admin-person">
          <Avatar name={username} size={24} />
          <bdi>{username}</bdi>
          {username === viewer && <span class="hint">{say.you}</span>}
          {display_name !== null && <span class="hint">{display_name}</span>}
        </span>
      </th>
      <td>{say.roles[role]}</td>
      <td>{seen === null ? say.never : strings.date(seen)}</td>
      <td class="is-number tabular-numbers">{sessions}</td>
      <td>
        <div class="admin-row-actions">
          {state === 'pending' ? (
            <>
              <button
                type="button"
                class="button"
                onClick={() => void act(() => actOnAccount(username, 'reject'), username, changed)}
              >
                {say.reject}
              </button>
              <button
                type="button"
                class="button button-primary"
                onClick={() => void act(() => actOnAccount(username, 'approve'), username, changed)}
              >
                {say.approve}
              </button>
            </>
          ) : (
            canAct && (
              <IconButton
                icon="more"
                label={say.actionsFor(username)}
                aria-haspopup="menu"
                onClick={event =>
                  openPopover(
                    event.currentTarget,
                    say.actionsFor(username),
                    close => (
                      <AccountMenu
                        account={account}
                        own={own}
                        close={close}
                        changed={changed}
                        showLink={showLink}
                        makeGuest={makeGuest}
                      />
                    ),
                    { role: 'menu' },
                  )
                }
              />
            )
          )}
        </div>
      </td>
    </tr>
  )
}

/** Shown once, outside of titles and logs. */
function ResetLink({ name, url }: { name: string; url: string }) {
  const say = strings.administration
  return (
    <div class="admin-link" role="status">
      <div>
        <b>{say.resetFor(name)}</b>
        <code>{url}</code>
        <p class="hint">{say.resetHint}</p>
      </div>
      <button type="button" class="button" onClick={() => void copyToClipboard(url, say.copied)}>
        {say.copy}
      </button>
    </div>
  )
}
