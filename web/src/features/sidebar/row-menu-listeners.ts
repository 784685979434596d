/**
 * Opens the menu of a row: right click, long press, Shift+F10 or the menu key. Moves it: drag, Alt+Shift+Page Up and
 * Page Down.
 */
import { swallowClick } from '../../ui/swallow-click.ts'
import { startDrag, startSectionDrag, stepFocused } from './move-rows.ts'
import { openRowMenu } from './row-menu.tsx'

const LONG_PRESS = 450
/** Movement in px per event that ends a long press. */
const PRESS_MOVES = 3

const rowOf = (event: Event) => (event.target as Element).closest<HTMLElement>('[data-channel]')

let pressTimer: ReturnType<typeof setTimeout> | undefined
const endPress = () => clearTimeout(pressTimer)

function open(row: HTMLElement) {
  openRowMenu(row, row.dataset['channel']!)
}

let drag = new AbortController()

/** Listeners of the list: delegated, for all rows. */
export const rowMenuListeners = {
  onContextMenu(event: MouseEvent) {
    const row = rowOf(event)
    // A link in a new tab is opened with the middle button or Ctrl; with Shift the browser's menu is shown.
    if (!row || event.shiftKey) return
    event.preventDefault()
    // On a touch screen the long press opens it.
    if (!isTouch(event)) open(row)
  },
  onKeyDown(event: KeyboardEvent) {
    const row = rowOf(event)
    if (event.altKey && event.shiftKey && /^Page(Up|Down)$/.test(event.key)) {
      event.preventDefault()
      stepFocused(event.target as Element, event.key === 'PageUp' ? -1 : 1)
      return
    }
    if (!row || !(event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))) return
    event.preventDefault()
    open(row)
  },
  onPointerDown(event: PointerEvent) {
    endPress()
    const row = rowOf(event)
    if (event.pointerType === 'mouse' || !row) return
    pressTimer = setTimeout(() => {
      swallowClick()
      open(row)
    }, LONG_PRESS)
  },
  onDragStart(event: DragEvent) {
    const head = (event.target as Element).closest<HTMLElement>('.sidebar-section-head')
    const [row, list] = [rowOf(event), event.currentTarget as HTMLElement]
    // A row that was removed while it was dragged has had no dragend.
    drag.abort()
    if (!row && !head) return
    const begun = new AbortController()
    drag = begun
    if (row) startDrag(row, list, begun)
    else if (head) startSectionDrag(head, list, begun)
  },
  onDragEnd: () => drag.abort(),
  onPointerUp: endPress,
  onPointerCancel: endPress,
  onPointerMove(event: PointerEvent) {
    if (Math.abs(event.movementX) + Math.abs(event.movementY) > PRESS_MOVES) endPress()
  },
}

const isTouch = (event: MouseEvent) => event instanceof PointerEvent && event.pointerType === 'touch'
