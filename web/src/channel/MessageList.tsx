import { Component, createRef } from 'preact'
import type { Seconds } from '#shared/rules/units.ts'
import { loadNewer, loadOlder, toLatest } from '../server/open-channel.ts'
import { considerReading, watchEnd } from '../server/read-marks.ts'
import type { Channel } from '../store/channels.ts'
import { type Item, isRowItem, type RowItem, rowsOf } from '../store/items.ts'
import { isDm, isPrivate, nameOf } from '../store/names.ts'
import { readersByItem } from '../store/selectors.ts'
import { isPhone, people, viewer } from '../store/store.ts'
import { Icon, Logo } from '../ui/Icon.tsx'
import { isPopoverOpen } from '../ui/Popover.tsx'
import { words } from '../words.ts'
import { onListKey } from './list-keys.ts'
import { MessageRow, type RowProps } from './MessageRow.tsx'
import { openMessageMenu } from './message-actions.tsx'
import { beginsWithJoining } from './notices.ts'
import { ScrollAnchor } from './scroll-anchor.ts'
import './MessageList.css'

/** Older rows are asked for so far before the reader gets there. */
const LOAD_WITHIN = 800
const LATEST_FROM = 400
const BELOW_TOP = 96
/** A little of what was seen stays in view. */
const PAGE_BY = 0.9
const FLASH_FOR = 2_000
const FLOATING_FOR = 1_000
const LONG_PRESS = 450
/** The browser makes a click of a touch so long after the finger is lifted. */
const CLICK_FOLLOWS = 100

interface Props {
  channel: Channel
}

interface State {
  hover?: string | undefined
  focus?: string | undefined
  flash?: string | undefined
  away?: boolean
  /** The newest row when the reader was last at the end. */
  seenTs?: Seconds
  floating?: Seconds | undefined
}

/** A class, because where the reader is must be noted in the moment before the rows change. */
export class MessageList extends Component<Props, State> {
  readonly #scroller = createRef<HTMLElement>()
  readonly #content = createRef<HTMLDivElement>()
  #anchor!: ScrollAnchor
  #placed = false
  #stopWatching = () => {}
  #flashTimer: ReturnType<typeof setTimeout> | undefined
  #floatTimer: ReturnType<typeof setTimeout> | undefined
  #pressTimer: ReturnType<typeof setTimeout> | undefined
  #handledReveal: object | undefined
  #pendingCount = 0

  override componentDidMount() {
    this.#anchor = new ScrollAnchor(this.#scroller.current!, this.#content.current!, () => this.#look())
    this.#stopWatching = watchEnd(() => this.#anchor.fromEnd < 48)
    this.#place()
    this.#afterChange()
  }

  override componentWillUnmount() {
    this.#stopWatching()
    this.#anchor.stop()
    for (const timer of [this.#flashTimer, this.#floatTimer, this.#pressTimer]) clearTimeout(timer)
  }

  override getSnapshotBeforeUpdate() {
    this.#anchor.hold()
    return null
  }

  override componentDidUpdate() {
    this.#anchor.restore()
    if (!this.#placed) this.#place()
    this.#afterChange()
  }

  /** Once, when the rows are there: at the New line if there is one, else at the end. */
  #place() {
    const { items, reveal } = this.props.channel
    if (!items.peek().some(isRowItem)) return
    this.#placed = true
    if (reveal.peek()) return
    const newLine = this.#content.current?.querySelector<HTMLElement>('.new')
    if (!newLine || !this.#anchor.toRow('new', BELOW_TOP)) this.#anchor.toEnd()
    this.#anchor.hold()
  }

  #afterChange() {
    const { channel } = this.props
    const reveal = channel.reveal.peek()
    if (reveal && reveal !== this.#handledReveal) this.#show(reveal)
    const count = channel.pending.peek().length
    // One's own message brings one to the end, wherever one was reading.
    if (count > this.#pendingCount) this.#anchor.toEnd()
    this.#pendingCount = count
    this.#look()
    considerReading()
  }

  #show(reveal: { id: number }) {
    const item = this.props.channel.items
      .peek()
      .find(one => isRowItem(one) && rowsOf(one).some(row => row.row.id === reveal.id))
    if (!item || !this.#anchor.toRow(item.key, 'middle')) return
    this.#handledReveal = reveal
    this.props.channel.reveal.value = undefined
    this.setState({ flash: item.key, focus: item.key })
    // From a result the arrows go on to the next one, so the focus stays in the panel.
    const inPanel = document.activeElement?.closest('[data-region="panel"]')
    if (!inPanel) this.#anchor.row(item.key)?.focus({ preventScroll: true })
    clearTimeout(this.#flashTimer)
    this.#flashTimer = setTimeout(() => this.setState({ flash: undefined }), FLASH_FOR)
  }

  /** What depends on the place: whether to load, and whether the end is far. */
  #look() {
    const scroller = this.#scroller.current
    if (!scroller || !this.#placed) return
    const { channel } = this.props
    if (scroller.scrollTop < LOAD_WITHIN) void loadOlder(channel)
    if (channel.aside.peek() && this.#anchor.fromEnd < LOAD_WITHIN) void loadNewer(channel)
    const away = this.#anchor.fromEnd > LATEST_FROM || channel.aside.peek() !== undefined
    const newest = channel.live.peek()?.rows.at(-1)?.ts ?? 0
    const seenTs = this.#anchor.atEnd && !channel.aside.peek() ? newest : (this.state.seenTs ?? newest)
    if (away !== (this.state.away ?? false) || seenTs !== this.state.seenTs) this.setState({ away, seenTs })
  }

  #onScroll = () => {
    this.#anchor.hold()
    this.#look()
    considerReading()
    this.#floatDate()
  }

  /** The date of what is at the top, while scrolling. */
  #floatDate() {
    const top = this.#scroller.current!.scrollTop
    const items = this.props.channel.items.peek()
    const row = [...this.#content.current!.querySelectorAll<HTMLElement>('article')].find(
      one => one.offsetTop + one.offsetHeight > top,
    )
    const item = items.find(one => one.key === row?.dataset.key)
    const ts = item && isRowItem(item) && !this.#anchor.atEnd ? item.lastTs : undefined
    if (
      ts === undefined ||
      this.state.floating === undefined ||
      words.date(ts) !== words.date(this.state.floating)
    )
      this.setState({ floating: ts })
    clearTimeout(this.#floatTimer)
    this.#floatTimer = setTimeout(() => this.setState({ floating: undefined }), FLOATING_FOR)
  }

  /** The focus goes along, to the row at the far edge. */
  #page(step: 1 | -1) {
    const scroller = this.#scroller.current!
    scroller.scrollTop += step * scroller.clientHeight * PAGE_BY
    const { top, bottom } = scroller.getBoundingClientRect()
    const seen = [...this.#content.current!.querySelectorAll<HTMLElement>('article')].filter(row => {
      const box = row.getBoundingClientRect()
      return box.bottom > top && box.top < bottom
    })
    const row = step === 1 ? seen.at(-1) : seen[0]
    if (!row) return
    this.setState({ focus: row.dataset.key })
    row.focus({ preventScroll: true })
  }

  #toLatest = () => {
    const { channel } = this.props
    toLatest(channel)
    this.#anchor.toEnd()
    requestAnimationFrame(() => {
      this.#anchor.toEnd()
      this.#onScroll()
    })
  }

  #onPointerOver = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || isPopoverOpen.peek()) return
    const hover = (event.target as Element).closest<HTMLElement>('article')?.dataset.key
    if (hover !== this.state.hover) this.setState({ hover })
  }

  #onPointerLeave = () => {
    if (!isPopoverOpen.peek() && this.state.hover) this.setState({ hover: undefined })
  }

  #onFocusIn = (event: FocusEvent) => {
    const focus = (event.target as Element).closest<HTMLElement>('article')?.dataset.key
    if (focus && focus !== this.state.focus) this.setState({ focus })
  }

  /** On a touch screen a long press opens what the toolbar holds elsewhere. */
  #onPointerDown = (event: PointerEvent) => {
    clearTimeout(this.#pressTimer)
    const row = (event.target as Element).closest<HTMLElement>('article')
    if (event.pointerType === 'mouse' || !row) return
    this.#pressTimer = setTimeout(() => this.#openSheet(row), LONG_PRESS)
  }

  #endPress = () => clearTimeout(this.#pressTimer)

  #openSheet(row: HTMLElement) {
    const message = this.props.channel.findRow(Number(row.dataset.messageId))
    if (!message || message.deleted === 1) return
    swallowClick()
    openMessageMenu(row, this.props.channel, message)
  }

  #onKeyDown = (event: KeyboardEvent) => {
    onListKey(event, this.props.channel, {
      focus: key => this.setState({ focus: key }, () => this.#anchor.row(key)?.focus()),
      toEnd: () => {
        this.props.channel.unreadAfter.value = undefined
        this.#toLatest()
      },
      page: step => this.#page(step),
    })
  }

  override render({ channel }: Props, { hover, focus, flash, away, seenTs, floating }: State) {
    const items = channel.items.value
    const rows = items.filter(isRowItem)
    const readers = readersByItem(items, channel.receipts.value, viewer)
    const memberCount = Math.max(channel.members.value.length, isPublic(channel.id) ? people.value.length : 0)
    // One tab stop: where the focus was, else the last row.
    const stop = rows.some(row => row.key === focus) ? focus : rows.at(-1)?.key
    const active = isPhone.value ? undefined : (hover ?? (this.#hasFocus() ? focus : undefined))
    const log = channel.aside.value ?? channel.live.value
    const name = nameOf(channel.id)
    const newer = (channel.live.value?.rows ?? []).filter(
      row => row.ts > (seenTs ?? 0) && row.sender !== viewer && row.deleted === 0,
    ).length

    return (
      <section class="msgs-frame" data-region="messages">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: one delegated listener for all rows */}
        <section
          ref={this.#scroller}
          class="msgs"
          id="messages"
          onScroll={this.#onScroll}
          onPointerOver={this.#onPointerOver}
          onPointerLeave={this.#onPointerLeave}
          onPointerDown={this.#onPointerDown}
          onPointerUp={this.#endPress}
          onPointerCancel={this.#endPress}
          onPointerMove={this.#endPressIfMoved}
          onFocusIn={this.#onFocusIn}
          onFocusOut={this.#onFocusOut}
          onKeyDown={this.#onKeyDown}
        >
          <div
            ref={this.#content}
            class="col"
            role="feed"
            aria-label={words.list.label(name)}
            aria-busy={false}
          >
            {log?.complete && (
              <Start
                channel={channel}
                isEmpty={rows.length === 0}
                joinedLate={beginsWithJoining(log.rows[0]?.content, viewer)}
              />
            )}
            {this.#lines(items, item => ({
              channel,
              readers: readers.get(item.key),
              memberCount,
              active: item.key === active,
              stop: item.key === stop,
              flash: item.key === flash,
              editing: item.kind === 'message' && item.shown.row.id === channel.editing.value,
            }))}
          </div>
        </section>
        {floating !== undefined && (
          <div class="float-date" aria-hidden="true">
            {words.date(floating)}
          </div>
        )}
        {away && (
          <button type="button" class="tolatest" onClick={this.#toLatest}>
            <Icon name="arrow-down" size={16} />
            {newer > 0 ? words.list.newer(newer) : words.list.latest}
          </button>
        )}
      </section>
    )
  }

  #endPressIfMoved = (event: PointerEvent) => {
    if (Math.abs(event.movementX) + Math.abs(event.movementY) > 3) clearTimeout(this.#pressTimer)
  }

  #onFocusOut = () => {
    // The toolbar goes once the focus is really elsewhere, not on its way to it.
    setTimeout(() => this.#scroller.current && this.forceUpdate(), 0)
  }

  #hasFocus() {
    return this.#scroller.current?.contains(document.activeElement) ?? false
  }

  #lines(items: Item[], propsOf: (item: RowItem) => Omit<RowProps, 'item' | 'position' | 'before'>) {
    let position = 0
    let before = ''
    return items.map(item => {
      if (item.kind === 'day') {
        before = `${words.date(item.ts)}. `
        return (
          <div key={item.key} class="day" aria-hidden="true">
            {words.date(item.ts)}
          </div>
        )
      }
      if (item.kind === 'new') {
        before += words.list.newHere
        return (
          <div key={item.key} class="new" data-key="new" aria-hidden="true">
            {words.newMessages}
          </div>
        )
      }
      position++
      const row = (
        <MessageRow
          key={item.key}
          item={item}
          position={position}
          before={before.trim()}
          {...propsOf(item)}
        />
      )
      before = ''
      return row
    })
  }
}

/** The finger is still down, and what it lets go of is no longer what it pressed. */
function swallowClick() {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const lifted = () => {
    removeEventListener('pointerup', lifted, true)
    removeEventListener('pointercancel', lifted, true)
    setTimeout(() => removeEventListener('click', swallow, true), CLICK_FOLLOWS)
  }
  addEventListener('click', swallow, true)
  addEventListener('pointerup', lifted, true)
  addEventListener('pointercancel', lifted, true)
}

interface StartProps {
  channel: Channel
  isEmpty: boolean
  joinedLate: boolean
}

function Start({ channel, isEmpty, joinedLate }: StartProps) {
  if (isPrivate(channel.id) && joinedLate) {
    return (
      <p class="since" data-key="start">
        {words.privateChannel.sinceJoined}
      </p>
    )
  }
  return (
    <div class={isEmpty ? 'empty start' : 'empty'} data-key="start">
      <Logo />
      <b>{words.list.start(nameOf(channel.id))}</b>
      <p>{startOf(channel)}</p>
    </div>
  )
}

function startOf({ id }: Channel) {
  if (isPrivate(id)) return words.privateChannel.start
  return isDm(id) ? words.list.startDirect : words.list.startPublic
}

const isPublic = (id: string) => !isDm(id) && !isPrivate(id)
