import { ReloadButton } from '../../../common/Guarded.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { rowsOf } from '../../../store/messages/items.ts'
import { Icon } from '../../../ui/Icon.tsx'
import type { RowProps } from './row-props.ts'

/** In place of a message that is malformed or cannot be drawn. */
export function BrokenRow({ item, stop }: RowProps) {
  const { row } = rowsOf(item)[0]!
  return (
    <article
      class="message-row is-system is-broken"
      data-key={item.key}
      data-item={item.key}
      data-message-id={row.id > 0 ? row.id : undefined}
      tabIndex={stop ? 0 : -1}
      aria-setsize={-1}
      aria-label={strings.broken.row}
    >
      <Icon name="alert" size={16} />
      <div class="message-row-body">
        <span>{strings.broken.row}</span>
        <ReloadButton />
      </div>
    </article>
  )
}
