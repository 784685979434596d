/** Pointer, focus and keys in the message list: delegated listeners, set once for all rows. */
import { markMessageUnread } from '../../../common/mark-read.ts'
import { isSystemMessage } from '../../../store/messages/items.ts'
import { Debounce } from '../../../ui/debounce.ts'
import { closePopover, isPopoverOpen, type Point } from '../../../ui/Popover.tsx'
import { swallowClick } from '../../../ui/swallow-click.ts'
import { openMessageMenu } from '../open-message-menu.ts'
import { hasBrowserMenu } from '../row/has-browser-menu.ts'
import { copyMessages } from './copy-messages.ts'
import type { ListJumps } from './list-jumps.ts'
import { onListKey } from './list-keys.ts'
import type { ListView } from './list-view.ts'

/** Delay in ms after scrolling before the row under the pointer counts as hovered. */
const POINTED_AFTER = 100
const LONG_PRESS = 450
/** Movement in px per event that ends a long press. */
const PRESS_MOVES = 3
/** A click with Alt on these is theirs: of a link, browsers save the target. */
const CONTROLS = 'a, button, input, textarea, select, summary, audio, video'
/** Share of the height that Page Up and Page Down scroll: some rows stay in view. */
const PAGE_BY = 0.9

/** Presses by keys and scripts have no pointer. */
const isMouse = (event: MouseEvent) => 'pointerType' in event && event.pointerType === 'mouse'

/** A mouse gives a pressed row the focus. Without it, letters are written, and do not act on the message. */
function leaveRow() {
  if (document.activeElement?.matches('article')) (document.activeElement as HTMLElement).blur()
}

const rowAt = (event: Event) => (event.target as Element).closest<HTMLElement>('article')

export class RowGestures {
  readonly #view: ListView
  readonly #jumps: ListJumps
  /** Mounts the rows around the scroll position. */
  readonly #fit: () => void
  readonly #scrolling = new Debounce(POINTED_AFTER, () => this.#point())
  /** Key of the row under the pointer. */
  #under: string | undefined
  #pressTimer: ReturnType<typeof setTimeout> | undefined

  constructor(view: ListView, jumps: ListJumps, fit: () => void) {
    this.#view = view
    this.#jumps = jumps
    this.#fit = fit
    // This code follows the first screen: a pointer that rests on a row already sends no event.
    this.#under = view.scroller?.querySelector<HTMLElement>('article:hover')?.dataset['key']
    this.#point()
  }

  stop() {
    this.#scrolling.cancel()
    this.#endPress()
  }

  /** Called on scrolling: rows that only scroll by are not hovered. */
  scrolled() {
    this.#scrolling.call()
  }

  #point() {
    if (!isPopoverOpen.peek()) this.#view.hover.value = this.#under
  }

  #onPointerOver = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || isPopoverOpen.peek()) return
    this.#under = rowAt(event)?.dataset['key']
    if (!this.#scrolling.isPending) this.#point()
  }

  #onClickCapture = (event: MouseEvent) => {
    const target = event.target as Element
    if (event.altKey && !target.closest(CONTROLS)) this.#markUnread(event)
    if (target.closest('[aria-expanded]')) this.#view.anchor.leaveEnd()
    if (isMouse(event) && !target.closest(`${CONTROLS}, .mention`)) leaveRow()
  }

  #markUnread(event: MouseEvent) {
    const id = rowAt(event)?.dataset['messageId']
    const row = id && this.#view.channel.findRow(Number(id))
    if (!row || row.deleted === 1) return
    event.preventDefault()
    event.stopPropagation()
    void markMessageUnread(row)
  }

  #onPointerLeave = () => {
    this.#under = undefined
    if (!isPopoverOpen.peek()) this.#view.hover.value = undefined
  }

  #onFocusIn = (event: FocusEvent) => {
    const focus = rowAt(event)?.dataset['key']
    if (focus && focus !== this.#view.state.focus) this.#view.update({ focus })
  }

  #onFocusOut = () => {
    // Hides the toolbar after the focus has arrived elsewhere, not between blur and focus.
    setTimeout(() => this.#view.scroller && this.#view.redraw(), 0)
  }

  /** On a touch screen a long press opens the actions of the toolbar. */
  #onPointerDown = (event: PointerEvent) => {
    this.#endPress()
    const row = rowAt(event)
    if (event.pointerType === 'mouse' || !row) return
    this.#pressTimer = setTimeout(() => {
      if (this.#openMenu(row)) swallowClick()
    }, LONG_PRESS)
  }

  #onContextMenu = (event: MouseEvent) => {
    const row = rowAt(event)
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
    // With Shift the browser's menu is shown.
    if (!row || event.shiftKey || (!isTouch && hasBrowserMenu(event.target as Element))) return
    // On a touch screen the long press opens it.
    if (isTouch ? isPopoverOpen.peek() : this.#openMenu(row, { x: event.clientX, y: event.clientY }))
      event.preventDefault()
  }

  #endPress = () => clearTimeout(this.#pressTimer)

  #onPointerMove = (event: PointerEvent) => {
    if (Math.abs(event.movementX) + Math.abs(event.movementY) > PRESS_MOVES) this.#endPress()
  }

  /** Returns false for rows without actions. */
  #openMenu(row: HTMLElement, at?: Point) {
    const { channel } = this.#view
    const message = channel.findRow(Number(row.dataset['messageId']))
    if (!message || message.deleted === 1 || isSystemMessage(message)) return false
    closePopover(false)
    openMessageMenu(row, channel, message, at)
    return true
  }

  #onKeyDown = (event: KeyboardEvent) => {
    const { channel, anchor } = this.#view
    onListKey(event, channel, {
      focus: key => this.#view.update({ focus: key }, () => anchor.row(key)?.focus()),
      toEnd: () => {
        channel.unreadAfter.value = undefined
        this.#jumps.toLatest()
      },
      page: step => this.#page(step),
    })
  }

  /** Scrolls by a page and focuses the row at the far edge once it is mounted. */
  #page(step: 1 | -1) {
    const { anchor } = this.#view
    const scroller = this.#view.scroller!
    anchor.hold()
    scroller.scrollTop += step * scroller.clientHeight * PAGE_BY
    anchor.hold()
    this.#fit()
    this.#view.update({}, () => this.#focusAtEdge(step))
  }

  #focusAtEdge(step: 1 | -1) {
    const { scroller, content } = this.#view
    if (!scroller || !content) return
    const { top, bottom } = scroller.getBoundingClientRect()
    const seen = [...content.querySelectorAll<HTMLElement>('article')].filter(row => {
      const box = row.getBoundingClientRect()
      return box.bottom > top && box.top < bottom
    })
    const row = step === 1 ? seen.at(-1) : seen[0]
    if (!row) return
    this.#view.update({ focus: row.dataset['key'] })
    row.focus({ preventScroll: true })
  }

  readonly listeners = {
    onPointerOver: this.#onPointerOver,
    onPointerLeave: this.#onPointerLeave,
    onPointerDown: this.#onPointerDown,
    onPointerUp: this.#endPress,
    onPointerCancel: this.#endPress,
    onPointerMove: this.#onPointerMove,
    onContextMenu: this.#onContextMenu,
    onClickCapture: this.#onClickCapture,
    onCopy: (event: ClipboardEvent) => copyMessages(event, this.#view.channel),
    onFocusIn: this.#onFocusIn,
    onFocusOut: this.#onFocusOut,
    onKeyDown: this.#onKeyDown,
  }
}
