/** The first requests, in the order in which they are needed (ui.md 6.1), and what goes on from then. */
import { batch, effect, untracked } from '@preact/signals'
import { followCalls } from '../calls/going-on.ts'
import { noteRecent } from '../store/recent.ts'
import { routeOf } from '../store/route.ts'
import { byName } from '../store/selectors.ts'
import {
  channelUnreads,
  config,
  dms,
  isPhone,
  onlineUsers,
  override,
  panel,
  people,
  privateChannels,
  publicChannels,
  route,
  session,
  started,
  viewer,
} from '../store/store.ts'
import * as endpoints from './endpoints.ts'
import { forgetKeptPage, startServiceWorker } from './install.ts'
import { refreshLooks, watchLooks } from './looks.ts'
import { watchForNewcomers } from './newcomers.ts'
import { closeChannel, openChannel } from './open-channel.ts'
import { restoreOutbox } from './outbox.ts'
import { startPresence } from './presence.ts'
import { startReadMarks } from './read-marks.ts'
import { startStream } from './stream.ts'

const LAST = `bothy last ${viewer}`

export async function start() {
  endpoints.onSignedOut(() => {
    session.value = 'ended'
    forgetKeptPage()
  })
  const read = () => {
    route.value = routeOf(location.hash)
  }
  addEventListener('hashchange', read)
  read()
  startServiceWorker()
  startReadMarks()
  startPresence()
  if (await loadLists()) followRoute()
}

export async function loadLists(): Promise<boolean> {
  started.value = 'loading'
  try {
    const [names, unreads, closed, conversations] = await Promise.all([
      endpoints.channels(),
      endpoints.channelUnreads(),
      endpoints.privateChannels(),
      endpoints.dms(),
    ])
    batch(() => {
      publicChannels.value = names
      channelUnreads.value = byName(unreads)
      privateChannels.value = closed
      dms.value = conversations
      started.value = 'ready'
    })
    void loadTheRest()
    return true
  } catch (error) {
    if (!(error instanceof endpoints.Failure)) throw error
    started.value = 'failed'
    return false
  }
}

/** Nobody waits for these; each may fail by itself. */
async function loadTheRest() {
  const settled = await Promise.allSettled([
    refreshLooks(),
    endpoints.clientConfig().then(value => {
      config.value = value
    }),
    endpoints.users().then(value => {
      people.value = value
    }),
    endpoints.onlineUsers().then(value => {
      onlineUsers.value = byName(value)
    }),
    endpoints.presenceOverride().then(value => {
      override.value = value.override
    }),
  ])
  for (const one of settled)
    if (one.status === 'rejected' && !(one.reason instanceof endpoints.Failure)) throw one.reason
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
  effect(() => {
    if (route.value.channel !== undefined && isPhone.peek()) panel.value = undefined
  })
  restoreOutbox()
  startStream()
  followCalls()
  watchForNewcomers()
  watchLooks()
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
