import { strings } from '../../i18n/i18n.ts'
import { me, type Panel, panel } from '../../store/store.ts'
import { listedDrafts } from '../../store/writing/drafts.ts'
import { Icon } from '../../ui/Icon.tsx'

/** Rows of the sidebar for saved messages, and for drafts and scheduled ones. Each is hidden without any. */
export function LaterRows() {
  const { saved = 0, due = 0, scheduled = 0, failed = 0 } = me.value ?? {}
  const begun = listedDrafts.value.length + scheduled
  return (
    <>
      {saved > 0 && <Row of="saved" icon="bookmark" label={strings.later.title} count={due} />}
      {begun + failed > 0 && (
        <Row
          of="scheduled"
          icon="pencil"
          label={strings.scheduled.title}
          count={failed > 0 ? failed : begun}
          isUrgent={failed > 0}
        />
      )}
    </>
  )
}

interface RowProps {
  of: Panel
  icon: string
  label: string
  count: number
  isUrgent?: boolean
}

function Row({ of, icon, label, count, isUrgent = of === 'saved' && count > 0 }: RowProps) {
  const isShown = panel.value === of
  return (
    <button
      type="button"
      class={`sidebar-row${isUrgent ? ' is-unread' : ''}${isShown ? ' is-active' : ''}`}
      aria-expanded={isShown}
      onClick={() => {
        panel.value = isShown ? undefined : of
      }}
    >
      <Icon name={icon} />
      <span class="sidebar-row-label">{label}</span>
      {count > 0 && <span class={isUrgent ? 'unread-badge is-mention' : 'unread-count'}>{count}</span>}
    </button>
  )
}
