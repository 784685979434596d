import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { me, panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { AuditPage } from './AuditPage.tsx'
import { GroupsPage } from './GroupsPage.tsx'
import { InvitesPage } from './InvitesPage.tsx'
import { ADMIN_PAGES, type AdminPage, adminPage, isInviteOpen } from './open-administration.ts'
import { PeoplePage } from './PeoplePage.tsx'
import './administration.css'

/** People, groups, invitations and the audit log, for admins and owners. */
export function AdministrationPage() {
  const tab = useRef<HTMLButtonElement>(null)
  useEffect(() => tab.current?.focus(), [])
  const page = adminPage.value
  const say = strings.administration
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = ADMIN_PAGES[(ADMIN_PAGES.indexOf(page) + step + ADMIN_PAGES.length) % ADMIN_PAGES.length]!
    adminPage.value = next
    document.getElementById(`admin-tab-${next}`)?.focus()
  }
  return (
    <main class="panel page" aria-label={say.title} data-region="panel">
      <div class="panel-head">
        <h1>{say.title}</h1>
        {me.value?.may.includes('invite') && (
          <button
            type="button"
            class="button button-primary"
            onClick={() => {
              isInviteOpen.value = true
            }}
          >
            <Icon name="user-plus" size={16} />
            {say.invite}
          </button>
        )}
        <IconButton
          icon="x"
          label={say.close}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      <div class="admin-tabs" role="tablist" aria-label={say.title} onKeyDown={onKeyDown}>
        {ADMIN_PAGES.map(one => (
          <button
            type="button"
            key={one}
            ref={one === page ? tab : undefined}
            id={`admin-tab-${one}`}
            class="admin-tab"
            role="tab"
            aria-selected={one === page}
            aria-controls="admin-page"
            tabIndex={one === page ? 0 : -1}
            onClick={() => {
              adminPage.value = one
            }}
          >
            {say.pages[one]}
          </button>
        ))}
      </div>
      <div class="panel-results" id="admin-page" role="tabpanel" aria-labelledby={`admin-tab-${page}`}>
        <div class="page-column">{contentOf(page)}</div>
      </div>
    </main>
  )
}

function contentOf(page: AdminPage) {
  if (page === 'people') return <PeoplePage />
  if (page === 'groups') return <GroupsPage />
  return page === 'invites' ? <InvitesPage /> : <AuditPage />
}
