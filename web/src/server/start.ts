/** The first requests, in the order in which they are needed (ui.md 6.1), and what goes on from then. */
import { batch, effect, untracked } from '@preact/signals'
import type { FirstListsPayload } from '#shared/rules/payloads.ts'
import type { Milliseconds } from '#shared/rules/units.ts'
import { followCalls } from '../calls/going-on.ts'
import { firstScreen, watchFirstScreen } from '../first-screen.ts'
import { withLaterWords } from '../later.ts'
import { loadPeople } from '../people/load-people.ts'
import { current } from '../store/channels.ts'
import { held } from '../store/held.ts'
import { noteRecent } from '../store/recent.ts'
import { routeOf } from '../store/route.ts'
import { byName } from '../store/selectors.ts'
import {
  channelUnreads,
  config,
  dms,
  isPhone,
  override,
  panel,
  privateChannels,
  publicChannels,
  route,
  session,
  started,
  viewer,
} from '../store/store.ts'
import { forgetCache, paintLists, startKeeping } from './cache.ts'
import { forgetEarly, listsInPage } from './early.ts'
import * as endpoints from './endpoints.ts'
import { forgetKeptPage, startServiceWorker } from './install.ts'
import { refreshLooks, watchLooks } from './looks.ts'
import { watchForNewcomers } from './newcomers.ts'
import { closeChannel, load, openChannel } from './open-channel.ts'
import { startOutbox } from './outbox.ts'
import { takePrivateChannels } from './private-channels.ts'
import { startReadMarks } from './read-marks.ts'
import { startStream } from './stream.ts'

const LAST = `bothy last ${viewer}`
const ASKED_AGAIN: Milliseconds = 5_000

let asksAgain: ReturnType<typeof setTimeout> | undefined

export async function start() {
  endpoints.onSignedOut(() => {
    session.value = 'ended'
    forgetKeptPage()
    void forgetCache()
  })
  const read = () => {
    route.value = routeOf(location.hash)
  }
  addEventListener('hashchange', read)
  read()
  const told = listsInPage()
  if (told) {
    takeLists(told)
    followRoute()
  } else void askUntilTold()
  // It fetches every part of the client.
  void firstScreen().then(startServiceWorker)
  startReadMarks()
  // Whichever is here first; on a bad network, and without one, that is what this device remembers.
  void paintLists().then(isPainted => isPainted && followRoute())
  ;(await whatIsApart()).startBeingHere()
}

let isLoaded = false
let loading: Promise<boolean> | undefined

export function loadLists(): Promise<boolean> {
  loading ??= askForLists().finally(() => {
    loading = undefined
  })
  return loading
}

/** A server that is busy or starts anew at this very moment is asked again; so is it by whoever has something remembered on the screen. */
async function askUntilTold() {
  while (!following && session.peek() !== 'ended' && !(await loadLists()))
    await new Promise(resolve => setTimeout(resolve, ASKED_AGAIN))
}

async function askForLists(): Promise<boolean> {
  if (started.peek() === 'failed') started.value = 'loading'
  try {
    const [channels, private_channels, dms, channel_unreads] = await Promise.all([
      endpoints.channels(),
      endpoints.privateChannels(),
      endpoints.dms(),
      endpoints.channelUnreads(),
    ])
    takeLists({ channels, private_channels, dms, channel_unreads })
    followRoute()
    return true
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    if (started.peek() === 'loading') started.value = 'failed'
    return false
  }
}

function takeLists(lists: FirstListsPayload) {
  batch(() => {
    publicChannels.value = lists.channels
    // What a stream has told meanwhile is newer.
    if (!held.state('counts')) {
      channelUnreads.value = byName(lists.channel_unreads)
      held.begin('counts', lists.channel_unreads)
    }
    if (!held.state('lists')) {
      takePrivateChannels(lists.private_channels)
      dms.value = lists.dms
    }
    started.value = 'ready'
  })
  // Against what this device remembers, everything since would be new.
  if (!isLoaded) void whatIsApart().then(apart => apart.startNotifications())
  isLoaded = true
  // After the messages of the open channel, which the others must not hold up.
  void firstScreen().then(loadTheRest)
}

/** The server is there again: what could not be loaded, and what this device only remembers, is asked for now. */
async function catchUp() {
  clearTimeout(asksAgain)
  const channel = current.peek()
  const state = channel?.state.peek()
  const isMissing = state === 'failed' || (state === 'ready' && channel?.kept.peek())
  await Promise.all([isLoaded || loadLists(), isMissing && load(channel!)])
  // The stream may be there before the rest of the server.
  if (session.peek() !== 'ended' && (!isLoaded || current.peek()?.kept.peek()))
    asksAgain = setTimeout(() => void catchUp(), ASKED_AGAIN)
}

/** Nobody waits for these; each may fail by itself. */
async function loadTheRest() {
  const settled = await Promise.allSettled([
    refreshLooks(),
    endpoints.clientConfig().then(value => {
      config.value = value
    }),
    loadPeople(),
    endpoints.presenceOverride().then(value => {
      override.value = value.override
    }),
  ])
  for (const one of settled)
    if (one.status === 'rejected' && !(one.reason instanceof endpoints.Failure)) throw one.reason
}

/** Who is here, the title, what is new: nothing of it is seen first, so it is fetched by itself. */
async function whatIsApart(): Promise<typeof import('../notifications/start.ts')> {
  await firstScreen()
  for (;;) {
    try {
      return await withLaterWords(() => import('../notifications/start.ts'))
    } catch {
      await new Promise(again => setTimeout(again, ASKED_AGAIN))
    }
  }
}

let following = false

export function followRoute() {
  if (following) return
  following = true
  effect(() => {
    const { channel, message } = route.value
    const phone = isPhone.value
    untracked(() => goTo(channel, message, phone))
  })
  forgetEarly()
  effect(() => {
    if (route.value.channel !== undefined && isPhone.peek()) panel.value = undefined
  })
  startOutbox()
  startKeeping()
  startStream(() => void catchUp())
  followCalls()
  watchForNewcomers()
  watchLooks()
  watchFirstScreen()
}

function goTo(channel: string | undefined, message: number | undefined, phone: boolean) {
  if (channel !== undefined) {
    remember(channel)
    openChannel(channel, message)
  } else if (phone) {
    closeChannel()
  } else {
    const first = remembered() ?? publicChannels.peek()[0] ?? dms.peek()[0]?.channel
    if (first !== undefined) openChannel(first)
  }
}

function remember(channel: string) {
  noteRecent(channel)
  try {
    localStorage.setItem(LAST, channel)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

function remembered(): string | undefined {
  try {
    const channel = localStorage.getItem(LAST) ?? undefined
    const known =
      channel?.startsWith('dm:') ||
      publicChannels.peek().includes(channel ?? '') ||
      privateChannels.peek().some(one => one.channel === channel)
    return known ? channel : undefined
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return undefined
  }
}
