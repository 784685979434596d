import { useState } from 'preact/hooks'
import { isAdmin, mayActOn } from '#shared/domain/roles.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { type Account, accounts } from '../../net/administration.ts'
import { me, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { AccountMenu } from './account-menu.tsx'
import { EditPersonDialog } from './EditPersonDialog.tsx'
import { FindField } from './FindField.tsx'
import { GuestDialog } from './GuestDialog.tsx'
import { InviteButton } from './InviteButton.tsx'
import { openAdministration } from './open-administration.ts'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'

const STATES = ['active', 'deactivated'] as const
/** After the last key, ms. */
const SETTLED = 200

/** The accounts in the chosen state, by name. People who wait for approval are on a page of their own. */
export function PeoplePage() {
  const [state, setState] = useState<(typeof STATES)[number]>('active')
  const [typed, setTyped] = useState('')
  const words = typed.trim()
  const [changes, setChanges] = useState(0)
  const [link, setLink] = useState<{ name: string; url: string }>()
  const [guest, setGuest] = useState<string>()
  const [edited, setEdited] = useState<{ account: Account | undefined }>()
  const people = usePages(
    [state, words, changes],
    cursor => accounts({ state, ...(words && { q: words }), ...(cursor && { cursor }) }),
    { settle: SETTLED },
  )
  const say = strings.administration
  const changed = () => setChanges(before => before + 1)
  return (
    <PageFrame beside={<HeadButtons newAccount={() => setEdited({ account: undefined })} />}>
      <Waiting />
      <div class="admin-tools">
        {STATES.map(one => (
          <button
            type="button"
            key={one}
            class={one === state ? 'filter-chip is-on' : 'filter-chip'}
            aria-pressed={one === state}
            onClick={() => setState(one)}
          >
            {say.states[one]}
          </button>
        ))}
        <FindField label={say.find} value={typed} set={setTyped} />
      </div>
      {link && <ResetLink {...link} />}
      <table class="admin-table">
        <thead>
          <tr>
            <th scope="col">{say.person}</th>
            <th scope="col">{say.role}</th>
            <th scope="col" class="is-quiet">
              {say.lastHere}
            </th>
            <th scope="col" class="is-number is-quiet">
              {say.devices}
            </th>
            <th scope="col">
              <span class="visually-hidden">{say.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.items.map(one => (
            <Row
              key={one.username}
              account={one}
              changed={changed}
              showLink={setLink}
              makeGuest={setGuest}
              edit={() => setEdited({ account: one })}
            />
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
      {edited && (
        <EditPersonDialog
          account={edited.account}
          close={() => setEdited(undefined)}
          saved={made => {
            setEdited(undefined)
            if (made) setLink(made)
            changed()
          }}
        />
      )}
    </PageFrame>
  )
}

function HeadButtons({ newAccount }: { newAccount: () => void }) {
  const say = strings.administration
  return (
    <>
      <button type="button" class="button" onClick={newAccount}>
        <Icon name="plus" size={16} />
        {say.newAccount}
      </button>
      {me.value?.may.includes('invite') && <InviteButton />}
    </>
  )
}

/** Leads to the approvals while somebody waits. */
function Waiting() {
  const count = me.value?.approvals ?? 0
  const say = strings.administration
  if (count === 0) return null
  return (
    <div class="admin-callout">
      <Icon name="user-plus" size={20} />
      <b>{say.waiting(count)}</b>
      <button type="button" class="button" onClick={() => openAdministration('approvals')}>
        {say.decide}
      </button>
    </div>
  )
}

interface RowProps {
  account: Account
  changed: () => void
  showLink: (link: { name: string; url: string }) => void
  makeGuest: (name: string) => void
  edit: () => void
}

function Row({ account, changed, showLink, makeGuest, edit }: RowProps) {
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
      <td class="is-quiet">{seen === null ? say.never : strings.date(seen)}</td>
      <td class="is-number is-quiet tabular-numbers">{sessions}</td>
      <td>
        <div class="admin-row-actions">
          {canAct && (
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
                      edit={edit}
                    />
                  ),
                  { role: 'menu' },
                )
              }
            />
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
