/** Moves rows and own sections of the sidebar, by drag and by Alt+Shift+Page Up and Down. */
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { moveChannel } from '../../net/channels/sidebar-changes.ts'
import { nameOf } from '../../store/channels/names.ts'
import { choiceOf, sections } from '../../store/sidebar/channel-choices.ts'
import { type SidebarRow, sidebarPlaces } from '../../store/sidebar/sidebar.ts'
import type { Place } from '../../store/sidebar/sidebar-places.ts'
import { announce } from '../../ui/feedback.ts'
import { placeSection, stepSection } from './own-sections.tsx'
import { placedIn } from './placed-rows.ts'

/** `focused`: in a row, or the head of an own section. */
export function stepFocused(focused: Element, step: 1 | -1) {
  const channel = focused.closest<HTMLElement>('[data-channel]')?.dataset['channel']
  const place = placeAt(focused)
  const own = sections.peek().find(({ id }) => id === place)
  if (channel !== undefined && place !== undefined) stepRow(channel, place, step)
  else if (own) {
    stepSection(own, step)
    focusSoon(headOf(own.id))
  }
}

function stepRow(channel: ChannelId, place: Place, step: 1 | -1) {
  const rows = sidebarPlaces.peek().get(place) ?? []
  const at = rows.findIndex(row => row.channel === channel)
  const row = rows[at]
  if (!row) return
  const isDrawn = (one: SidebarRow) => document.querySelector(inSidebar(rowOf(one.channel))) !== null
  let to = at + step
  while (rows[to] && !isDrawn(rows[to]!)) to += step
  let next: Place | undefined = place
  if (rows[to]) put(row, place, to)
  else {
    const places = [...sidebarPlaces.peek().keys()]
    const onward = step > 0 ? places.slice(places.indexOf(place) + 1) : places.slice(0, places.indexOf(place))
    next = (step > 0 ? onward : onward.reverse()).find(one => mayBeIn(row, one))
    if (next !== undefined) put(row, next, step > 0 ? 0 : Number.POSITIVE_INFINITY)
  }
  // A collapsed place may hide the row.
  focusSoon(rowOf(channel), headOf(next ?? place))
}

const rowOf = (channel: ChannelId) => `[data-channel="${CSS.escape(channel)}"]`
const headOf = (place: Place) => `[data-place="${place}"] h2 button`
const inSidebar = (selector: string) => `[data-region="sidebar"] ${selector}`

const mayBeIn = ({ usual }: SidebarRow, place: Place) =>
  place === 'favourites' || typeof place === 'number' || place === usual

function put(row: SidebarRow, place: Place, index: number) {
  const others = (sidebarPlaces.peek().get(place) ?? []).map(one => one.channel)
  const order = others.filter(channel => channel !== row.channel)
  order.splice(index, 0, row.channel)
  const placed = placedIn(order, row.channel, channel => choiceOf(channel).position !== null)
  void moveChannel(row.channel, place, placed)
  const texts = strings.rowMenu
  announce(texts.placed(nameOf(row.channel), order.indexOf(row.channel) + 1, order.length, titleOf(place)))
}

const titleOf = (place: Place) =>
  typeof place === 'number'
    ? (sections.peek().find(({ id }) => id === place)?.name ?? '')
    : strings.sidebar[place]

/** Focuses the first that is drawn: the row is drawn again in another place. */
function focusSoon(...selectors: string[]) {
  requestAnimationFrame(() => {
    const found = selectors
      .map(selector => document.querySelector<HTMLElement>(inSidebar(selector)))
      .find(element => element !== null)
    const target = found?.matches('a, button') ? found : found?.querySelector<HTMLElement>('a')
    target?.focus()
  })
}

function placeAt(element: Element): Place | undefined {
  const place = element.closest<HTMLElement>('[data-place]')?.dataset['place']
  return place === undefined ? undefined : Number(place) || (place as Place)
}

/** Call while a row is dragged, until `ended` is aborted. */
export function startDrag(dragged: HTMLElement, list: HTMLElement, ended: AbortController) {
  const channel = dragged.dataset['channel']!
  const from = placeAt(dragged)
  const row =
    from === undefined
      ? undefined
      : sidebarPlaces
          .peek()
          .get(from)
          ?.find(one => one.channel === channel)
  if (!row) return
  followDrag(
    dragged,
    list,
    ended,
    event => targetOf(event, row),
    ({ place, index }) => put(row, place, index),
  )
}

/** The same for the head of an own section. */
export function startSectionDrag(head: HTMLElement, list: HTMLElement, ended: AbortController) {
  const own = sections.peek().find(({ id }) => id === placeAt(head))
  if (!own) return
  followDrag(
    head,
    list,
    ended,
    event => sectionTargetOf(event, own.id),
    ({ index }) => placeSection(own, index),
  )
}

function followDrag<T extends Shown>(
  dragged: HTMLElement,
  list: HTMLElement,
  ended: AbortController,
  find: (event: DragEvent) => T | undefined,
  drop: (target: T) => void,
) {
  let target: T | undefined
  const show = (next: T | undefined) => {
    if (target?.element !== next?.element || target?.look !== next?.look) {
      target?.element.classList.remove(target.look)
      next?.element.classList.add(next.look)
    }
    target = next
  }
  const listen = (name: 'dragover' | 'drop', run: (event: DragEvent) => void) =>
    list.addEventListener(name, run, { signal: ended.signal })
  ended.signal.addEventListener('abort', () => {
    show(undefined)
    dragged.classList.remove('is-dragged')
  })
  dragged.classList.add('is-dragged')
  listen('dragover', event => {
    show(find(event))
    if (target) event.preventDefault()
  })
  listen('drop', event => {
    event.preventDefault()
    const found = target
    ended.abort()
    if (found) drop(found)
  })
}

interface Shown {
  element: Element
  look: 'is-drop-before' | 'is-drop-after'
}

interface SectionTarget extends Shown {
  /** Among the other sections. */
  index: number
}

/** Own sections alone change their order: beside one of them. */
function sectionTargetOf(event: DragEvent, dragged: number): SectionTarget | undefined {
  const over = event.target instanceof Element ? event.target : undefined
  const place = over && placeAt(over)
  const others = sections.peek().filter(({ id }) => id !== dragged)
  const index = others.findIndex(({ id }) => id === place)
  const section = over?.closest('[data-place]')
  if (index < 0 || !section) return undefined
  const { top, height } = section.getBoundingClientRect()
  const isBelow = event.clientY > top + height / 2
  return isBelow
    ? { element: section.lastElementChild!, look: 'is-drop-after', index: index + 1 }
    : { element: section.firstElementChild!, look: 'is-drop-before', index }
}

interface Target extends Shown {
  place: Place
  /** Among the other rows of the place. */
  index: number
}

function targetOf(event: DragEvent, dragged: SidebarRow): Target | undefined {
  const over = event.target instanceof Element ? event.target : undefined
  const place = over && placeAt(over)
  if (!over || place === undefined || !mayBeIn(dragged, place)) return undefined
  const others = (sidebarPlaces.peek().get(place) ?? []).filter(row => row.channel !== dragged.channel)
  const element = over.closest<HTMLElement>('[data-channel]')
  const channel = element?.dataset['channel']
  if (channel === dragged.channel) return undefined
  if (!element) {
    // The head, or the text of an empty section.
    const head = over.closest('[data-place]')!.firstElementChild!
    return { element: head, look: 'is-drop-after', place, index: 0 }
  }
  const { top, height } = element.getBoundingClientRect()
  const isBelow = event.clientY > top + height / 2
  const index = others.findIndex(row => row.channel === channel)
  return {
    element,
    look: isBelow ? 'is-drop-after' : 'is-drop-before',
    place,
    index: isBelow ? index + 1 : index,
  }
}
