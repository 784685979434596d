import { strings } from '../../i18n/i18n.ts'
import { listedDrafts } from '../../store/drafts.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Lazy, lazyComponent } from '../../ui/lazy.tsx'
import { openPopover } from '../../ui/Popover.tsx'

const DraftsList = lazyComponent(() => import('./DraftsList.tsx').then(module => module.DraftsList))

/** Lists begun messages; hidden without any. */
export function DraftsRow() {
  const begun = listedDrafts.value
  if (begun.length === 0) return null
  const open = (event: Event) =>
    openPopover(event.currentTarget as HTMLElement, strings.sidebar.drafts, () => <Lazy of={DraftsList} />)
  return (
    <button type="button" class="sidebar-row" aria-haspopup="dialog" onClick={open}>
      <Icon name="pencil" />
      <span class="sidebar-row-label">{strings.sidebar.drafts}</span>
      <span class="unread-count">{begun.length}</span>
    </button>
  )
}
