import { strings } from '../i18n/i18n.ts'

interface Props {
  unread: number
  mentions: number
  direct?: boolean
}

/** Three levels: a plain number, a pill for people, amber for mentions. Never red. */
export function UnreadBadge({ unread, mentions, direct }: Props) {
  if (mentions > 0) {
    return (
      <>
        <span class="unread-badge tabular-numbers is-mention" aria-hidden="true">
          @{capped(mentions)}
        </span>
        <span class="visually-hidden">{strings.sidebar.mentioned(mentions)}</span>
      </>
    )
  }
  if (unread <= 0) return null
  return (
    <>
      <span class={direct ? 'unread-badge tabular-numbers' : 'unread-count'} aria-hidden="true">
        {capped(unread)}
      </span>
      <span class="visually-hidden">{strings.sidebar.unread(unread)}</span>
    </>
  )
}

const capped = (count: number) => (count > 99 ? '99+' : String(count))
