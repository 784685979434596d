import type { AccountPayload } from '#shared/domain/payloads/administration.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { PagesStart } from '../../common/PagesBounds.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { accounts, actOnAccount } from '../../net/requests/administration.ts'
import { me } from '../../store/store.ts'
import { announce } from '../../ui/feedback.ts'
import { act } from './act.ts'
import { PageEnd } from './PageEnd.tsx'
import { PageFrame } from './PageFrame.tsx'
import { PersonName } from './PersonName.tsx'

/** People who wait for approval. The list follows their number, which the stream carries. */
export function ApprovalsPage() {
  const count = me.value?.approvals ?? 0
  const list = usePages([count], cursor => accounts({ state: 'pending', ...(cursor && { cursor }) }))
  const texts = strings.administration
  return (
    <PageFrame beside={count > 0 && <span class="hint">{texts.waiting(count)}</span>}>
      <PagesStart {...list} />
      <ul class="admin-list">
        {list.items.map(one => (
          <Waiting key={one.username} account={one} changed={list.again} />
        ))}
      </ul>
      <PageEnd {...list} none={texts.nobody.pending} />
    </PageFrame>
  )
}

function Waiting({ account, changed }: { account: AccountPayload; changed: () => void }) {
  const { username, created_ts: since } = account
  const texts = strings.administration
  const decide = async (what: 'approve' | 'reject', button: HTMLElement) => {
    const next = neighbourOf(button)
    if (!(await act(() => actOnAccount(username, what), username))) return
    announce(what === 'approve' ? texts.isApproved(username) : texts.isRejected(username))
    next?.focus()
    changed()
  }
  return (
    <li class="admin-callout">
      <Avatar name={username} size={32} />
      <div>
        <PersonName account={account} />
        <p class="hint">{texts.since(since)}</p>
      </div>
      <button
        type="button"
        class="button"
        aria-label={`${texts.reject}: ${username}`}
        onClick={event => void decide('reject', event.currentTarget)}
      >
        {texts.reject}
      </button>
      <button
        type="button"
        class="button button-primary"
        aria-label={`${texts.approve}: ${username}`}
        onClick={event => void decide('approve', event.currentTarget)}
      >
        {texts.approve}
      </button>
    </li>
  )
}

/** The same button of the next person, of the last one before, or the heading. */
function neighbourOf(button: HTMLElement): HTMLElement | undefined {
  const row = button.closest('li')!
  const beside = row.nextElementSibling ?? row.previousElementSibling
  const which = [...row.querySelectorAll('button')].indexOf(button as HTMLButtonElement)
  const heading = button.closest('main')?.querySelector<HTMLElement>('h1')
  return beside?.querySelectorAll('button')[which] ?? heading ?? undefined
}
