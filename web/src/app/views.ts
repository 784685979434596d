/** Opens the views that have an address of their own (ui.md 4). */
import { effect } from '@preact/signals'
import { adminPage, openAdministration } from '../features/administration/open-administration.ts'
import { openLightbox } from '../features/channel/cards/open-lightbox.tsx'
import { detailsTab, openDetails } from '../features/details/open-details.ts'
import { openProfile } from '../features/people/open-profile.ts'
import { searchAddress, searchFor } from '../features/search/open-search.ts'
import { openSettings, SETTINGS_PAGES } from '../features/settings/open-settings.ts'
import { openBeside, openedThread, openThread } from '../features/threads/open-threads.ts'
import { channelOf, current } from '../store/channels/channels.ts'
import { hashOf, PAGE_NAMES, routeOf, splitAddress, threadAddress, viewOf } from '../store/route.ts'
import { type Panel, panel, route } from '../store/store.ts'
import { startLayers } from '../ui/layers.ts'

export function followAddress() {
  startLayers({
    split: splitAddress,
    showPlace: hash => {
      route.value = routeOf(hash)
    },
    showView,
  })
}

export function panelAddress(which: Panel): string | undefined {
  if (which === 'search') return searchAddress()
  if (which === 'mentions' || which === 'threads' || isPageName(which)) return `#/${which}`
  if (which === 'admin') return `#/admin/${adminPage.value}`
  const channel = current.value
  const of = openedThread.value
  if (which === 'thread') return of && threadAddress(of.channel, of.id)
  return channel ? `${hashOf(channel.id)}/${detailsTab.value}` : '#/'
}

const isPageName = (which: Panel) => PAGE_NAMES.some(name => name === which)

function showView(hash: string) {
  const view = viewOf(hash)
  switch (view?.kind) {
    case 'settings':
      return openSettings(SETTINGS_PAGES.find(page => page === view.page))
    case 'search':
      return searchFor(view.words)
    case 'mentions':
    case 'channels':
    case 'saved':
    case 'scheduled':
      panel.value = view.kind
      return
    case 'details':
      return openDetails(view.tab)
    case 'admin':
      return openAdministration(view.page)
    case 'profile':
      return openProfile(undefined, view.name)
    case 'threads': {
      const { thread } = view
      if (thread) return openBeside(thread.channel, thread.message)
      panel.value = 'threads'
      return
    }
    case 'thread':
      // A link out of the page of threads.
      if (panel.peek() === 'threads') panel.value = undefined
      return openThread(view.channel, view.message)
    case 'image':
      return openImage(view.channel, view.message)
  }
}

/** Waits for the rows of the channel; without the message there, the image stays closed. */
function openImage(id: string, message: number) {
  const channel = channelOf(id)
  const stop = effect(() => {
    const isLeft = (route.value.channel ?? id) !== id
    const isThere = !isLeft && channel.state.value === 'ready' && current.value === channel
    if (isThere && channel.items.value && channel.findRow(message)) openLightbox(channel, message)
    else if (!isLeft && channel.state.value !== 'failed' && !isThere) return
    queueMicrotask(() => stop())
  })
}
