import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useCloseOnLeaving } from '../../common/use-close-on-leaving.ts'
import { strings } from '../../i18n/i18n.ts'
import { me, panel } from '../../store/store.ts'
import { ApprovalsPage } from './ApprovalsPage.tsx'
import { AuditPage } from './AuditPage.tsx'
import { type AdminPage, mayOpen, shownPage } from './admin-pages.ts'
import { BackupsPage } from './BackupsPage.tsx'
import { ChannelsPage } from './ChannelsPage.tsx'
import { GroupsPage } from './GroupsPage.tsx'
import { IntegrationsPage } from './IntegrationsPage.tsx'
import { InvitesPage } from './InvitesPage.tsx'
import { PeoplePage } from './PeoplePage.tsx'
import { ReadyPage } from './ReadyPage.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { StatisticsPage } from './StatisticsPage.tsx'
import '../../ui/page.css'
import './administration.css'

const PAGES: Record<AdminPage, ComponentType> = {
  people: PeoplePage,
  groups: GroupsPage,
  approvals: ApprovalsPage,
  invites: InvitesPage,
  channels: ChannelsPage,
  settings: SettingsPage,
  integrations: IntegrationsPage,
  ready: ReadyPage,
  backups: BackupsPage,
  statistics: StatisticsPage,
  audit: AuditPage,
}

/** The open page, for admins and owners, some also for members; for others, who followed a link, it closes. The navigation is in the sidebar. */
export function AdministrationPage() {
  const may = mayOpen()
  useEffect(() => {
    if (me.value && !may) panel.value = undefined
  }, [may, me.value])
  return may ? <OpenPage /> : null
}

function OpenPage() {
  const region = useRef<HTMLElement>(null)
  useEffect(() => region.current!.querySelector('h1')?.focus(), [])
  useCloseOnLeaving()
  const page = shownPage()
  const Part = PAGES[page]
  return (
    <main class="panel page" aria-label={strings.administration.title} data-region="panel" ref={region}>
      <Part key={page} />
    </main>
  )
}
