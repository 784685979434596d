import { useState } from 'preact/hooks'
import type { AccountPayload, AccountsPayload } from '#shared/domain/payloads/administration.ts'
import { isAdmin, mayActOn, type Role } from '#shared/domain/roles.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { copyToClipboard } from '../../common/copy-to-clipboard.ts'
import { PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { accounts } from '../../net/requests/administration.ts'
import { isPhone, me, people, viewer } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { openPopover } from '../../ui/Popover.tsx'
import { DeactivateDialog, DeleteAccountDialog, EndSessionsDialog, RenameDialog } from './AccountDialogs.tsx'
import { AccountMenu, type Question } from './account-menu.tsx'
import { EditPersonDialog } from './EditPersonDialog.tsx'
import { FindField } from './FindField.tsx'
import { GuestDialog } from './GuestDialog.tsx'
import { InviteButton } from './InviteButton.tsx'
import { openAdministration } from './open-administration.ts'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'
import { PersonName } from './PersonName.tsx'
import { PersonPanel, type ResetLinkShown } from './PersonPanel.tsx'
import './PeoplePage.css'

/** Accounts that can sign in, some by role, and deactivated ones. */
const FILTERS = ['active', 'owner', 'admin', 'guest', 'deactivated'] as const
type Filter = (typeof FILTERS)[number]
/** After the last key, ms. */
const SETTLED = 200

/** The accounts that match, by name. People who wait for approval are on a page of their own. */
export function PeoplePage() {
  const [filter, setFilter] = useState<Filter>('active')
  const [typed, setTyped] = useState('')
  const [link, setLink] = useState<ResetLinkShown>()
  const [asked, setAsked] = useState<Asked>()
  const [opened, setOpened] = useState<string>()
  const { list, counts, changed } = useAccounts(filter, typed.trim())
  const texts = strings.administration
  const person = list.items.find(({ username }) => username === opened)
  const actsOn = (account: AccountPayload) => ({
    account,
    isLastOwner: account.role === 'owner' && counts?.owner === 1,
    changed,
    showLink: setLink,
    ask: (question: Question) => setAsked({ account, question }),
  })
  const close = () => {
    document.getElementById(rowButton(opened))?.focus()
    setOpened(undefined)
  }
  const numbers = counts && { ...counts, active: counts.owner + counts.admin + counts.member + counts.guest }
  return (
    <PageFrame
      count={numbers && texts.people(numbers.active)}
      beside={<HeadButtons newAccount={() => setAsked({ question: 'edit' })} />}
    >
      <Waiting />
      <div class="admin-tools">
        {FILTERS.map(one => (
          <button
            type="button"
            key={one}
            class={one === filter ? 'filter-chip is-on' : 'filter-chip'}
            aria-pressed={one === filter}
            onClick={() => setFilter(one)}
          >
            {texts.filters[one]} <span class="tabular-numbers">{numbers?.[one]}</span>
          </button>
        ))}
        <FindField label={texts.find} value={typed} set={setTyped} />
      </div>
      {link && link.name !== person?.username && <ResetLink {...link} />}
      <PagesStart {...list} />
      <table class="admin-table" onKeyDown={onRowKey}>
        <Head />
        <tbody>
          {list.items.map(one => (
            <Row
              key={one.username}
              {...actsOn(one)}
              isOpened={one === person}
              toggle={() => setOpened(one === person ? undefined : one.username)}
            />
          ))}
        </tbody>
      </table>
      <PageEnd {...list} none={filter === 'deactivated' ? texts.nobody.deactivated : texts.nobody.active} />
      {person && (
        <PersonPanel
          {...actsOn(person)}
          own={roleToActOn(actsOn(person))}
          link={link?.name === person.username ? link : undefined}
          close={close}
        />
      )}
      {asked && (
        <AccountQuestion {...asked} close={() => setAsked(undefined)} changed={changed} showLink={setLink} />
      )}
    </PageFrame>
  )
}

const rowButton = (name: string | undefined) => `person-${name}`

/** Arrows go through the people, Delete asks to deactivate one, / leads to the field. */
function onRowKey(event: KeyboardEvent) {
  const table = event.currentTarget as HTMLElement
  const buttons = [...table.querySelectorAll<HTMLElement>('.admin-person')]
  const at = buttons.indexOf(event.target as HTMLElement)
  if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
  if (to !== undefined) buttons[to]?.focus()
  else if (event.key === '/') document.querySelector<HTMLElement>('.admin-find input')?.focus()
  else return
  event.preventDefault()
}

interface ActsOn {
  account: AccountPayload
  isLastOwner: boolean
}

/** The role of the viewer if it allows to act on the account; owners may act on their own one while there is another. */
function roleToActOn({ account: { username, role }, isLastOwner }: ActsOn): Role | undefined {
  const own = me.value?.role
  if (own === undefined || !isAdmin(own) || !mayActOn(own, role) || isLastOwner) return undefined
  return username !== viewer || own === 'owner' ? own : undefined
}

/** Read again after an act here, and when the names of people change. */
function useAccounts(filter: Filter, words: string) {
  const [changes, setChanges] = useState(0)
  const [counts, setCounts] = useState<AccountsPayload['counts']>()
  const state = filter === 'deactivated' ? filter : 'active'
  const role = filter === 'active' || filter === 'deactivated' ? undefined : filter
  const list = usePages(
    [filter, words, changes, people.value],
    async cursor => {
      const page = await accounts({
        state,
        sort: 'name',
        ...(role && { role }),
        ...(words && { q: words }),
        ...(cursor && { cursor }),
      })
      if (page.counts) setCounts(page.counts)
      return page
    },
    { settle: SETTLED },
  )
  return { list, counts, changed: () => setChanges(before => before + 1) }
}

interface Asked {
  question: Question
  /** Undefined: a new account. */
  account?: AccountPayload
}

interface QuestionProps extends Asked {
  close: () => void
  changed: () => void
  showLink: (link: { name: string; url: string }) => void
}

function AccountQuestion({ question, account, close, changed, showLink }: QuestionProps) {
  if (question === 'edit' || !account)
    return (
      <EditPersonDialog
        account={account}
        close={close}
        saved={made => {
          close()
          if (made) showLink(made)
          changed()
        }}
      />
    )
  const props = { account, close, changed }
  switch (question) {
    case 'guest':
      return (
        <GuestDialog
          name={account.username}
          close={() => {
            close()
            changed()
          }}
        />
      )
    case 'rename':
      return <RenameDialog {...props} />
    case 'sessions':
      return <EndSessionsDialog {...props} />
    case 'deactivate':
      return <DeactivateDialog {...props} />
    case 'delete':
      return <DeleteAccountDialog {...props} />
  }
}

function Head() {
  const texts = strings.administration
  return (
    <thead>
      <tr>
        <th scope="col">{texts.person}</th>
        <th scope="col">{texts.role}</th>
        <th scope="col" class="is-quiet">
          {texts.lastHere}
        </th>
        <th scope="col" class="is-number is-quiet">
          {texts.devices}
        </th>
        <th scope="col">
          <span class="visually-hidden">{texts.actions}</span>
        </th>
      </tr>
    </thead>
  )
}

function HeadButtons({ newAccount }: { newAccount: () => void }) {
  const texts = strings.administration
  return (
    <>
      {isPhone.value ? (
        <IconButton icon="plus" label={texts.newAccount} onClick={newAccount} />
      ) : (
        <button type="button" class="button" onClick={newAccount}>
          <Icon name="plus" size={16} />
          {texts.newAccount}
        </button>
      )}
      {me.value?.may.includes('invite') && <InviteButton />}
    </>
  )
}

/** Leads to the approvals while somebody waits. */
function Waiting() {
  const count = me.value?.approvals ?? 0
  const texts = strings.administration
  if (count === 0) return null
  return (
    <div class="admin-callout">
      <Icon name="user-plus" size={20} />
      <b>{texts.waiting(count)}</b>
      <button type="button" class="button" onClick={() => openAdministration('approvals')}>
        {texts.decide}
      </button>
    </div>
  )
}

interface RowProps extends ActsOn {
  isOpened: boolean
  toggle: () => void
  changed: () => void
  showLink: (link: { name: string; url: string }) => void
  ask: (question: Question) => void
}

function Row({ account, isLastOwner, isOpened, toggle, changed, showLink, ask }: RowProps) {
  const { username, role, state, last_seen_ts: seen, sessions } = account
  const texts = strings.administration
  const own = roleToActOn({ account, isLastOwner })
  const isOwn = username === viewer
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' || !own || isOwn || state !== 'active') return
    ask('deactivate')
    event.preventDefault()
    event.stopPropagation()
  }
  const look = [state === 'deactivated' && 'is-off', isOpened && 'is-picked'].filter(Boolean).join(' ')
  return (
    <tr class={look}>
      <th scope="row">
        <button
          type="button"
          id={rowButton(username)}
          class="admin-person"
          aria-expanded={isOpened}
          aria-controls={isOpened ? 'person-panel' : undefined}
          onClick={toggle}
          onKeyDown={onKey}
        >
          <Avatar name={username} size={24} />
          <PersonName account={account} />
          {isOwn && <span class="hint">{texts.you}</span>}
        </button>
      </th>
      <td>
        {texts.roles[role]}
        {isLastOwner && <span class="hint admin-note">{texts.oneOwner}</span>}
      </td>
      <td class="is-quiet">{seen === null ? texts.never : strings.date(seen)}</td>
      <td class="is-number is-quiet tabular-numbers">{sessions}</td>
      <td>
        <div class="admin-row-actions">
          {own && (
            <IconButton
              icon="more"
              label={texts.actionsFor(username)}
              aria-haspopup="menu"
              onClick={event =>
                openPopover(
                  event.currentTarget,
                  texts.actionsFor(username),
                  close => (
                    <AccountMenu
                      account={account}
                      own={own}
                      close={close}
                      changed={changed}
                      showLink={showLink}
                      ask={ask}
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
  const texts = strings.administration
  return (
    <div class="admin-link" role="status">
      <div>
        <b>{texts.resetFor(name)}</b>
        <code>{url}</code>
        <p class="hint">{texts.resetHint}</p>
      </div>
      <button type="button" class="button" onClick={() => void copyToClipboard(url, texts.copied)}>
        {texts.copy}
      </button>
    </div>
  )
}
