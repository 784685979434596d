import type { VNode } from 'preact'
import type { RepliesCount } from '#shared/domain/payloads/messages.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { peopleIn } from '../../../store/channels/people-in.ts'
import { type Item, isRowItem, type RowItem, rowsOf } from '../../../store/messages/items.ts'
import {
  answeredInSight,
  countsByItem,
  type Readers,
  readersByItem,
} from '../../../store/messages/selectors.ts'
import { isPhone, viewer } from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { isPrinting } from '../../../ui/printing.ts'
import { openedThread } from '../../threads/open-threads.ts'
import { openDays } from '../open-days.ts'
import { MessageRow } from '../row/MessageRow.tsx'
import type { RowProps } from '../row/row-props.ts'
import type { ListView } from './list-view.ts'
import type { TimelineWindow } from './timeline-window.ts'

/** Renders the mounted rows, with spacers for the others. */
export class TimelineRows {
  readonly #view: ListView
  readonly #timeline: TimelineWindow
  #readers: { items: Item[]; from: object; byItem: Map<string, Readers> } | undefined

  #answered: { items: Item[]; ids: ReadonlySet<number> } | undefined

  constructor(view: ListView, timeline: TimelineWindow) {
    this.#view = view
    this.#timeline = timeline
  }

  render(): VNode[] {
    const { channel, scroller, state, hover } = this.#view
    const { items, span, target } = this.#timeline
    const editing = channel.editing.value
    const readers = this.#readersOf(items)
    const memberCount = peopleIn(channel) - 1
    // Read here, not in the row: a count that arrives changes heights, so the list must hold its position.
    const counted = channel.replyCounts.value
    const fresh = channel.newReplies.value
    const answered = this.#answeredIn(items)
    const thread = openedThread.value
    // A single tab stop: the last focused row, else the last row.
    const hasFocused = items.some(item => item.key === state.focus && isRowItem(item))
    const stop = hasFocused ? state.focus : items.slice(0, span.to).findLast(isRowItem)?.key
    const hasFocus = scroller?.contains(document.activeElement) ?? false
    const focused = hasFocus && !isPhone.value ? state.focus : undefined
    const isEdited = (item: Item) =>
      editing !== undefined && item.kind === 'message' && item.shown.row.id === editing
    const isAll = isPrinting.value
    const isKept = (item: Item) => isAll || item.key === stop || item.key === target || isEdited(item)
    return this.#lines(isKept, item => ({
      channel,
      readers: readers.get(item.key),
      replies: repliesTo(item, counted, answered),
      newReplies: fresh.get(rowsOf(item)[0]!.row.id) ?? 0,
      isOpened: rowsOf(item)[0]!.row.id === thread?.id,
      memberCount,
      hover: isPhone.value ? undefined : hover,
      isActive: item.key === focused,
      stop: item.key === stop,
      flash: item.key === state.flash,
      editing: isEdited(item),
    }))
  }

  /** `isKept`: true for rows that are mounted outside the span too. */
  #lines(
    isKept: (item: Item) => boolean,
    propsOf: (item: RowItem) => Omit<RowProps, 'item' | 'before'>,
  ): VNode[] {
    const { items, span, spacer } = this.#timeline
    const lines: VNode[] = []
    let gap = 0
    let day: Seconds | undefined
    let isNew = false
    spacer.remove()
    items.forEach((item, at) => {
      if (item.kind === 'day') day = item.ts
      else if (item.kind === 'new') isNew = true
      const isFirst = at === span.from
      if ((at < span.from || at >= span.to) && !isKept(item)) gap += this.#timeline.heightOf(item)
      else {
        const height = isFirst ? spacer.heightFor(gap) : gap
        if (gap > 0) lines.push(gapOf(`gap ${lines.length}`, height, isFirst ? spacer.element : null))
        gap = 0
        if (isRowItem(item)) {
          const before = day === undefined && !isNew ? '' : beforeWords(day, isNew)
          lines.push(<MessageRow key={item.key} item={item} before={before} {...propsOf(item)} />)
        } else lines.push(<Line key={item.key} item={item} channel={this.#view.channel} />)
      }
      if (!isRowItem(item)) return
      day = undefined
      isNew = false
    })
    if (gap > 0) lines.push(gapOf('gap below', gap, null))
    return lines
  }

  #answeredIn(items: Item[]): ReadonlySet<number> {
    if (this.#answered?.items !== items) this.#answered = { items, ids: answeredInSight(items) }
    return this.#answered.ids
  }

  /** Recomputed only when rows or read markers change: there may be hundreds of both. */
  #readersOf(items: Item[]): Map<string, Readers> {
    const receipts = this.#view.channel.receipts.value
    const seen = this.#view.channel.seen.value
    const from = seen ?? receipts
    if (this.#readers?.items !== items || this.#readers.from !== from) {
      const byItem = seen
        ? countsByItem(items, seen, viewer)
        : withCounts(readersByItem(items, receipts, viewer))
      this.#readers = { items, from, byItem }
    }
    return this.#readers.byItem
  }
}

/** Undefined for a single reply that stands below. */
function repliesTo(
  item: RowItem,
  counted: Channel['replyCounts']['value'],
  answered: ReadonlySet<number>,
): RepliesCount | undefined {
  if (item.kind === 'system') return undefined
  const { row } = rowsOf(item)[0]!
  const replies = counted.has(row.id) ? counted.get(row.id) : row.extra?.replies
  return replies?.count === 1 && answered.has(row.id) ? undefined : replies
}

const withCounts = (readers: Map<string, Username[]>) =>
  new Map([...readers].map(([key, names]): [string, Readers] => [key, { names, count: names.length }]))

const gapOf = (key: string, height: number, element: TimelineWindow['spacer']['element'] | null) => (
  <div key={key} ref={element} aria-hidden="true" style={{ blockSize: `${height}px` }} />
)

/** A date line or the New line. Hidden from screen readers, whose rows begin with the date; Jump has the menu for keys. */
function Line({ item, channel }: { item: Exclude<Item, RowItem>; channel: Channel }) {
  if (item.kind === 'new') {
    return (
      <div class="new-messages-line" data-key="new" data-item="new" aria-hidden="true">
        {strings.newMessages}
      </div>
    )
  }
  return (
    <div class="day-line" data-item={item.key} aria-hidden="true">
      <button type="button" tabIndex={-1} onClick={event => openDays(event.currentTarget, channel)}>
        {strings.date(item.ts)}
        <Icon name="chev-down" size={14} />
      </button>
    </div>
  )
}

/** For screen readers, in place of the lines above a message. */
function beforeWords(day: Seconds | undefined, isNew: boolean) {
  return [day !== undefined && `${strings.date(day)}.`, isNew && strings.list.newHere]
    .filter(Boolean)
    .join(' ')
}
