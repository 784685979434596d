/** Global shortcuts (ui.md 7). Their keys are in `common/shortcuts.ts`. */
import { composerField } from '../common/composer-field.ts'
import { markAllRead } from '../common/mark-read.ts'
import { pressedIn } from '../common/pressed.ts'
import type { ShortcutId } from '../common/shortcuts.ts'
import { openDetails } from '../features/details/open-details.ts'
import { openKeyboardSheet } from '../features/keyboard-sheet/open-keyboard-sheet.ts'
import { openNewDm } from '../features/new-dm/open-new-dm.ts'
import { askedWords, searchFor } from '../features/search/open-search.ts'
import { openSwitcher } from '../features/switcher/open-switcher.ts'
import { closeToRootRow } from '../features/threads/open-root-row.ts'
import { besideThread } from '../features/threads/open-threads.ts'
import { showMessage } from '../net/channels/open-channel.ts'
import { current } from '../store/channels/channels.ts'
import { takeJump } from '../store/channels/jumps.ts'
import { neighbourOf } from '../store/messages/selectors.ts'
import { preferred } from '../store/preferences/preferences.ts'
import { hashOf } from '../store/route.ts'
import { isChannelMuted, shownMentions } from '../store/sidebar/channel-choices.ts'
import { sidebarRows } from '../store/sidebar/sidebar.ts'
import { isMac, panel } from '../store/store.ts'
import { closeBox } from '../store/writing/edits.ts'
import { closePopover, isPopoverOpen } from '../ui/Popover.tsx'

const REGIONS = ['sidebar', 'header', 'messages', 'composer', 'panel', 'beside', 'call', 'ring']

export function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return
  const from = event.target as HTMLElement
  const isTyping = from.closest('input, textarea, select, [contenteditable]') !== null
  const pressed = pressedIn(
    'anywhere',
    event,
    ({ single }) => !single || (!isTyping && preferred.singleLetterKeys.peek()),
  )
  if (pressed === 'escape') onEscape(from)
  else if (pressed === 'back') !(isMac && isTyping) && goBack(event)
  else if (pressed === 'letter') !isTyping && onLetter(event, from)
  else if (pressed && RUN[pressed]) answer(event, () => RUN[pressed]?.(event, from))
}

const RUN: Partial<Record<ShortcutId, (event: KeyboardEvent, from: HTMLElement) => void>> = {
  jump: () => withoutPopover(openSwitcher),
  search: openSearch,
  searchAnywhere: () => withoutPopover(openSearch),
  activity: () => withoutPopover(() => (panel.value = 'mentions')),
  newDirect: () => withoutPopover(openNewDm),
  details: (_, from) => toggleAbout(from),
  upload: () => document.querySelector<HTMLElement>('[data-region="composer"] input[type="file"]')?.click(),
  allRead: () => markAllRead(),
  sheet: () => withoutPopover(openKeyboardSheet),
  help: () => withoutPopover(openKeyboardSheet),
  region: (_, from) => toRegion(from, 1),
  regionBack: (_, from) => toRegion(from, -1),
  neighbour: event => toNeighbour(stepOf(event), false),
  unread: event => toNeighbour(stepOf(event), true),
}

const stepOf = ({ key }: KeyboardEvent) => (key === 'ArrowDown' ? 1 : -1)

/** A letter typed while nothing has the focus belongs to the composer, or to a search that is still loading. */
function onLetter(event: KeyboardEvent, from: HTMLElement) {
  if (from !== document.body && from !== document.documentElement) return
  if (panel.peek() === 'search' && !searchField())
    answer(event, () => searchFor((askedWords.peek() ?? '') + event.key))
  else if (event.key !== ' ') composerField()?.focus()
}

function answer(event: KeyboardEvent, run: () => void) {
  event.preventDefault()
  run()
}

function withoutPopover(open: () => void) {
  if (isPopoverOpen.peek()) closePopover()
  open()
}

/** Returns to the origin of the last jump in this channel; without one the browser handles the key. */
function goBack(event: KeyboardEvent) {
  const channel = current.peek()
  const spot = channel && takeJump(channel.id)
  if (spot) answer(event, () => void showMessage(channel, spot.id))
}

/** Closes the topmost layer; when nothing is open, focuses the composer. */
function onEscape(from: HTMLElement) {
  const channel = current.peek()
  // Its content may still be loading, and the focus with it.
  if (isPopoverOpen.peek()) return closePopover()
  if (besideThread.peek() || from.closest('.thread-panel')) return closeToRootRow()
  if (panel.value) {
    return closePanel(from)
  } else if (channel?.editing.peek() !== undefined) {
    closeBox(channel)
  } else if (channel?.replyTo.peek() !== undefined) {
    channel.replyTo.value = undefined
  }
  composerField()?.focus()
}

function toggleAbout(from: HTMLElement) {
  if (panel.peek() === 'details') closePanel(from)
  else openDetails('about')
}

/** A focus that was in the panel moves to the composer. */
function closePanel(from: HTMLElement) {
  const wasInside = from.closest('[data-region="panel"]') !== null || from === document.body
  panel.value = undefined
  // The composer under a page takes the focus once the page is gone from the document.
  if (wasInside) queueMicrotask(() => composerField()?.focus())
}

function openSearch() {
  panel.value = 'search'
  const field = searchField()
  if (field) field.focus()
  // Still loading. Keys typed until then belong to the composer, not to the list.
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

const searchField = () => document.querySelector<HTMLElement>('[data-region="panel"] input')

/** Focus targets by priority: the last position inside the region, then its main control. */
const INSIDE = [
  'article[tabindex="0"]',
  'textarea',
  '[aria-current]',
  'input',
  'a[href]',
  'button',
  '[tabindex="0"]',
]

function toRegion(from: HTMLElement, step: number) {
  const there = REGIONS.map(name => document.querySelector<HTMLElement>(`[data-region="${name}"]`)).filter(
    (region): region is HTMLElement => region !== null && isSeen(region),
  )
  const at = there.findIndex(region => region.contains(from))
  const start = at < 0 && step < 0 ? 0 : at
  for (let tried = 1; tried <= there.length; tried++) {
    const region = there[(start + step * tried + there.length * tried) % there.length]!
    if (focusIn(region)) return
  }
}

/** False for a region without a focusable element, for example a list that is still loading. */
function focusIn(region: HTMLElement): boolean {
  for (const selector of INSIDE) {
    const found = [...region.querySelectorAll<HTMLElement>(selector)].find(isSeen)
    if (!found) continue
    found.focus()
    return true
  }
  return false
}

/** `offsetParent` is null for fixed elements, such as panels on a phone. */
const isSeen = (element: HTMLElement) => element.getClientRects().length > 0

function toNeighbour(step: 1 | -1, unreadOnly: boolean) {
  const next = neighbourOf(
    sidebarRows.value.map(one => (isChannelMuted(one.channel) ? { ...one, unread: 0 } : one)),
    shownMentions.value,
    current.peek()?.id,
    step,
    unreadOnly,
  )
  if (next !== undefined) location.hash = hashOf(next)
}
