import { useEffect, useRef } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { isPhone, me, panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { useOneStop } from '../../ui/one-stop.ts'
import {
  ADMIN_PAGES,
  ADMIN_SECTIONS,
  type AdminPage,
  adminAddress,
  mayOpen,
  maySee,
  shownPage,
} from './admin-pages.ts'
import { openAdministration } from './open-administration.ts'
import './administration.css'
import './AdministrationNav.css'

const ICONS: Record<AdminPage, string> = {
  people: 'users',
  approvals: 'user-plus',
  groups: 'at',
  invites: 'link',
  channels: 'hash',
  settings: 'gear',
  integrations: 'plug',
  ready: 'checks',
  backups: 'archive',
  statistics: 'grid',
  audit: 'list',
}

const SECTIONS = Object.keys(ADMIN_SECTIONS) as (keyof typeof ADMIN_SECTIONS)[]

/** The pages of the administration, in place of the lists of the sidebar. */
export function AdministrationNav() {
  const texts = strings.administration
  if (!mayOpen()) return null
  return (
    <div class="admin-nav">
      <button
        type="button"
        class="sidebar-row"
        onClick={() => {
          panel.value = undefined
        }}
      >
        <Icon name="chev-left" flip />
        <span class="sidebar-row-label">{texts.back}</span>
        <span class="key-caps" aria-hidden="true">
          <kbd>{strings.keys.esc}</kbd>
        </span>
      </button>
      {SECTIONS.filter(section => ADMIN_SECTIONS[section].some(maySee)).map(section => (
        <div key={section} role="group" aria-label={texts.sections[section]}>
          <div class="admin-nav-title" aria-hidden="true">
            {texts.sections[section]}
          </div>
          {ADMIN_SECTIONS[section].filter(maySee).map(page => (
            <PageLink key={page} page={page} />
          ))}
        </div>
      ))}
    </div>
  )
}

/** On a phone, which has no sidebar beside the page: a line above it. */
export function AdministrationStrip() {
  const strip = useRef<HTMLElement>(null)
  useOneStop(strip)
  const page = shownPage()
  useEffect(
    () => strip.current!.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center' }),
    [page],
  )
  return (
    <nav class="admin-strip" aria-label={strings.administration.title} ref={strip}>
      {ADMIN_PAGES.filter(maySee).map(one => (
        <PageLink key={one} page={one} />
      ))}
    </nav>
  )
}

function PageLink({ page }: { page: AdminPage }) {
  const isOpen = page === shownPage()
  const count = page === 'approvals' ? (me.value?.approvals ?? 0) : 0
  return (
    <a
      class={isOpen ? 'sidebar-row is-active' : 'sidebar-row'}
      href={adminAddress(page)}
      aria-current={isOpen ? 'page' : undefined}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openAdministration(page)
      }}
    >
      {!isPhone.value && <Icon name={ICONS[page]} />}
      <span class="sidebar-row-label">{strings.administration.pages[page]}</span>
      {count > 0 && (
        <>
          <span class="unread-badge is-mention tabular-numbers" aria-hidden="true">
            {count > 99 ? '99+' : count}
          </span>
          <span class="visually-hidden">{strings.administration.waiting(count)}</span>
        </>
      )}
    </a>
  )
}
