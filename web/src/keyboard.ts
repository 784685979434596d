/** Keys that act anywhere: `/`, F6, Esc, Alt with the arrows, and letters that belong in the composer (ui.md 7). */
import { current } from './store/channels.ts'
import { hashOf } from './store/route.ts'
import { channelUnreads, mentions, panel, publicChannels, shownDms } from './store/store.ts'

const REGIONS = ['sidebar', 'header', 'messages', 'composer', 'panel', 'call', 'ring']

export function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return
  const target = event.target as HTMLElement
  const isTyping = target.closest('input, textarea, select, [contenteditable]') !== null
  if (event.key === 'F6') {
    event.preventDefault()
    toRegion(target, event.shiftKey ? -1 : 1)
  } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    event.preventDefault()
    toNeighbour(event.key === 'ArrowDown' ? 1 : -1, event.shiftKey)
  } else if (event.key === 'Escape') {
    onEscape()
  } else if (isTyping || event.ctrlKey || event.metaKey || event.altKey) {
    return
  } else if (event.key === '/') {
    event.preventDefault()
    openSearch()
  } else if (
    event.key.length === 1 &&
    event.key !== ' ' &&
    (target === document.body || target === document.documentElement)
  ) {
    composer()?.focus()
  }
}

function onEscape() {
  if (panel.value) panel.value = undefined
  composer()?.focus()
}

function openSearch() {
  panel.value = 'search'
  document.querySelector<HTMLElement>('[data-region="panel"] input')?.focus()
}

function composer() {
  return document.querySelector<HTMLElement>('[data-region="composer"] textarea')
}

function toRegion(from: HTMLElement, step: number) {
  const there = REGIONS.map(name => document.querySelector<HTMLElement>(`[data-region="${name}"]`)).filter(
    (region): region is HTMLElement => region !== null && region.offsetParent !== null,
  )
  const at = there.findIndex(region => region.contains(from))
  const next = there[(at + step + there.length) % there.length]
  const inside = 'article[tabindex="0"], textarea, [aria-current], input, a[href], button, [tabindex="0"]'
  next?.querySelector<HTMLElement>(inside)?.focus()
}

function toNeighbour(step: number, unreadOnly: boolean) {
  const open = current.peek()?.id
  const all = [...publicChannels.value, ...shownDms.value.map(dm => dm.channel)]
  const isUnread = (id: string) =>
    (channelUnreads.value.get(id) ?? 0) > 0 ||
    shownDms.value.some(dm => dm.channel === id && dm.unread > 0) ||
    mentions.value.some(mention => mention.channel === id)
  const list = all.filter(id => id === open || !unreadOnly || isUnread(id))
  const next = list[(list.indexOf(open ?? '') + step + list.length) % list.length]
  if (next !== undefined) location.hash = hashOf(next)
}
