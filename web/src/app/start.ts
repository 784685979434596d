/** The first requests, in the order of need (ui.md 6.1), and the services that run from then on. */
import { batch, effect, untracked } from '@preact/signals'
import type { FirstListsPayload } from '#shared/domain/payloads/client.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { besideThread } from '../features/threads/open-threads.ts'
import { forgetKeptPage, lookForNewerClient, startServiceWorker } from '../net/account/service-worker.ts'
import { closeChannel, load, openChannel } from '../net/channels/open-channel.ts'
import { takePrivateChannels } from '../net/channels/private-channels.ts'
import { startReadMarker } from '../net/channels/read-marker.ts'
import { forgetCache, paintLists, startKeeping } from '../net/device/cache.ts'
import { outbox } from '../net/outbox/browser-outbox.ts'
import { refreshProfiles, watchProfiles } from '../net/people/profiles.ts'
import * as endpoints from '../net/requests/endpoints.ts'
import { tolerateFailure } from '../net/requests/failure.ts'
import { current } from '../store/channels/channels.ts'
import { persisted } from '../store/device/persisted.ts'
import { noteRecent } from '../store/device/recent.ts'
import { firstScreen, watchFirstScreen } from '../store/first-screen.ts'
import { held } from '../store/held.ts'
import { byName } from '../store/messages/selectors.ts'
import { noteNewcomer } from '../store/preferences/newcomer.ts'
import { hashOf } from '../store/route.ts'
import { channelChoices, takeChoices } from '../store/sidebar/channel-choices.ts'
import { forgetRevision } from '../store/sidebar/sidebar-revision.ts'
import {
  channelUnreads,
  config,
  dms,
  isPhone,
  me,
  override,
  panel,
  privateChannels,
  publicChannels,
  route,
  session,
  started,
  viewer,
  workspace,
} from '../store/store.ts'
import { replacePlace } from '../ui/layers.ts'
import { type Part, part } from '../ui/part.ts'
import { followAddress } from './views.ts'

export const draftsSync = part<typeof import('../net/messages/sync-drafts.ts')>()
export const hoverCards = part<typeof import('../features/people/hover-card.tsx')>()
export const keyboard = part<typeof import('./keyboard.ts')>()
export const live = part<typeof import('../net/stream/browser-stream.ts')>()
export const notifying = part<typeof import('../features/notifications/start-notifications.ts')>()
export const office = part<typeof import('./follow-office.ts')>()
export const reporting = part<typeof import('../features/reports/show-reports.ts')>()

const lastChannel = persisted(`bothy last ${viewer}`)
const RETRY_PAUSE: Milliseconds = 5_000

let catchUpTimer: ReturnType<typeof setTimeout> | undefined

export function start() {
  endpoints.onSignedOut(() => {
    session.value = 'ended'
    forgetKeptPage()
    void forgetCache()
  })
  noteNewcomer()
  followAddress()
  const lists = listsInPage()
  if (lists) {
    takeLists(lists)
    followRoute()
  } else void loadUntilReady()
  // The service worker fetches every file of the client.
  void firstScreen().then(startServiceWorker)
  startReadMarker()
  startKeyboard()
  // The first source wins; on a slow network or without one, this is the cache of this device.
  void paintLists().then(isPainted => isPainted && followRoute())
  void loadNotifications().then(notifications => notifications.startBeingHere())
  void later(hoverCards).then(cards => cards.startHoverCards())
}

/** Undefined if the server could not collect the lists in time, and in the kept page, which has none. */
function listsInPage(): FirstListsPayload | undefined {
  const block = document.getElementById('lists')
  block?.remove()
  const lists: FirstListsPayload | undefined = block ? JSON.parse(block.textContent) : undefined
  // Malformed ones are requested.
  const { channels, private_channels, dms, channel_unreads, sidebar } = lists ?? {}
  return channel_unreads && [channels, private_channels, dms, sidebar?.channels].every(Array.isArray)
    ? lists
    : undefined
}

let isLoaded = false
let loading: Promise<boolean> | undefined

function loadLists(): Promise<boolean> {
  loading ??= requestLists().finally(() => {
    loading = undefined
  })
  return loading
}

/** On the user's request, after the first attempt has failed. */
export async function loadAgain() {
  if (await loadLists()) followRoute()
}

/** Retries until the lists are loaded or the cached view has started. */
async function loadUntilReady() {
  while (!following && session.peek() !== 'ended' && !(await loadLists()))
    await new Promise(resolve => setTimeout(resolve, RETRY_PAUSE))
}

async function requestLists(): Promise<boolean> {
  if (started.peek() === 'failed') started.value = 'loading'
  try {
    const [channels, private_channels, dms, channel_unreads, sidebar] = await Promise.all([
      endpoints.channels(),
      endpoints.privateChannels(),
      endpoints.dms(),
      endpoints.channelUnreads(),
      endpoints.sidebar(),
    ])
    takeLists({ channels, private_channels, dms, channel_unreads, sidebar })
    followRoute()
    return true
  } catch (error) {
    tolerateFailure(error)
    if (started.peek() === 'loading') started.value = 'failed'
    return false
  }
}

function takeLists(lists: FirstListsPayload) {
  batch(() => {
    publicChannels.value = lists.channels
    held.noteEvent('sidebar', undefined)
    // State from a stream is newer.
    if (!held.state('counts')) {
      channelUnreads.value = byName(lists.channel_unreads)
      held.begin('counts', lists.channel_unreads)
    }
    if (!held.state('lists')) {
      takePrivateChannels(lists.private_channels)
      dms.value = lists.dms
    }
    if (!channelChoices.peek()) takeChoices(lists.sidebar)
    workspace.value ??= lists.workspace
    me.value ??= lists.me
    started.value = 'ready'
  })
  // Only with the server's state: compared with the cache, everything since would be new.
  if (!isLoaded) void loadNotifications().then(notifications => notifications.startNotifications())
  if (!isLoaded) void later(draftsSync).then(drafts => drafts.startSyncingDrafts())
  isLoaded = true
  // After the messages of the open channel, which these requests must not delay.
  void firstScreen().then(loadTheRest)
}

/** When the server is back: loads the missing parts and refreshes the cached ones. */
async function catchUp() {
  clearTimeout(catchUpTimer)
  const channel = current.peek()
  const state = channel?.state.peek()
  const isMissing = state === 'failed' || (state === 'ready' && channel?.isStale.peek())
  await Promise.all([isLoaded || loadLists(), isMissing && load(channel!, undefined, state === 'failed')])
  // The stream may be back before the rest of the server.
  const isIncomplete = channel?.state.peek() === 'failed' || channel?.isStale.peek()
  if (session.peek() !== 'ended' && (!isLoaded || (isIncomplete && current.peek() === channel)))
    catchUpTimer = setTimeout(() => void catchUp(), RETRY_PAUSE)
}

/** Not urgent; each may fail by itself. */
async function loadTheRest() {
  const settled = await Promise.allSettled([
    refreshProfiles(),
    endpoints.clientConfig().then(value => {
      config.value = value
    }),
    endpoints.presenceOverride().then(value => {
      override.value = value.override
    }),
  ])
  for (const one of settled)
    if (one.status === 'rejected' && !(one.reason instanceof endpoints.Failure)) throw one.reason
}

/** Longer than the pause before a failed load is repeated; a key that waited longer would surprise. */
const KEY_WAITS: Milliseconds = 2 * RETRY_PAUSE

/** A key that is pressed before the shortcuts are loaded acts then. */
function startKeyboard() {
  let early: KeyboardEvent | undefined
  const keep = (event: KeyboardEvent) => {
    early = event
  }
  addEventListener('keydown', keep)
  void later(keyboard).then(({ onKeyDown }) => {
    removeEventListener('keydown', keep)
    addEventListener('keydown', onKeyDown)
    if (early && performance.now() - early.timeStamp < KEY_WAITS) onKeyDown(early)
  })
}

/** Presence, title and notifications, which are invisible at first. */
const loadNotifications = () => later(notifying)

/** Loads a part after the first screen. Retries, because nothing else may request the chunk again. */
export async function later<M extends object>(of: Part<M>): Promise<M> {
  await firstScreen()
  for (;;) {
    try {
      return await of.load()
    } catch {
      await new Promise(again => setTimeout(again, RETRY_PAUSE))
    }
  }
}

let following = false

function followRoute() {
  if (following) return
  following = true
  effect(() => {
    const { channel, message, unknown } = route.value
    const phone = isPhone.value
    const beside = besideThread.value?.channel
    // Behind the page of threads; the route stays, and its channel returns when the thread is closed.
    if (beside !== undefined) return untracked(() => openChannel(beside))
    untracked(() => (unknown ? closeChannel() : goTo(channel, message, phone)))
  })
  let isFirst = true
  effect(() => {
    // The address may have opened a panel over its channel.
    if (route.value.channel !== undefined && isPhone.peek() && !isFirst) panel.value = undefined
    isFirst = false
  })
  outbox.start(() => live.now?.stream.refresh())
  startKeeping()
  void later(live).then(({ startStream }) => startStream(whenBack))
  watchProfiles()
  void later(office).then(module => module.followOffice())
  watchFirstScreen()
}

/** The server can be reached again. */
function whenBack() {
  forgetRevision()
  outbox.resume()
  void catchUp()
  void lookForNewerClient()
  void refreshProfiles()
}

function goTo(channel: string | undefined, message: number | undefined, phone: boolean) {
  if (channel !== undefined) {
    remember(channel)
    openChannel(channel, message)
  } else if (phone) {
    closeChannel()
  } else {
    const first = remembered() ?? publicChannels.peek()[0] ?? dms.peek()[0]?.channel
    if (first === undefined) return
    // The start page is this channel, also for Back after it is another one.
    replacePlace(hashOf(first))
    route.value = { channel: first }
  }
}

function remember(channel: string) {
  noteRecent(channel)
  lastChannel.write(channel)
}

function remembered(): string | undefined {
  const channel = lastChannel.read() ?? ''
  const isKnown =
    channel.startsWith('dm:') ||
    publicChannels.peek().includes(channel) ||
    privateChannels.peek().some(one => one.channel === channel)
  return isKnown ? channel : undefined
}
