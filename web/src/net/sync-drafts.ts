/**
 * Keeps the drafts in agreement with the server: the newest of all devices wins (interface 10.29). Without a connection
 * this device keeps its own, and sends them later. Texts only; files wait on the device.
 */
import { effect, untracked } from '@preact/signals'
import type { DraftPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Milliseconds, Seconds } from '#shared/domain/units.ts'
import { draftOf, drafts, draftTimes, onDraftKept, takeDraft } from '../store/drafts.ts'
import { isConnected, me } from '../store/store.ts'
import { list, postJson } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

/** After the last key. */
const SENT_AFTER: Milliseconds = 2_000
/** Age of drafts from before they were sent anywhere. */
const OLD: Seconds = 1

interface Mark {
  changed: Seconds
  /** The server has this text. */
  isStored: boolean
}

const marks = new Map<ChannelId, Mark>()
const timers = new Map<ChannelId, ReturnType<typeof setTimeout>>()
/** Refused by the server; tried again after the next change. */
const refused = new Set<ChannelId>()
/** Own changes whose revision has not come with `me`. */
let own = 0
let rev: number | undefined

export function startSyncingDrafts() {
  for (const [channel, text] of draftTimes.readAll()) {
    const [changed, stored] = text.split(' ')
    marks.set(channel, { changed: Number(changed) || OLD, isStored: stored === 'stored' })
  }
  for (const channel of drafts.peek().keys())
    if (!marks.has(channel)) marks.set(channel, { changed: OLD, isStored: false })
  onDraftKept(channel => {
    mark(channel, { changed: Date.now() / 1000, isStored: false })
    refused.delete(channel)
    clearTimeout(timers.get(channel))
    timers.set(
      channel,
      setTimeout(() => void send(channel), SENT_AFTER),
    )
  })
  for (const name of ['blur', 'pagehide']) addEventListener(name, sendAll)
  effect(() => {
    if (isConnected()) untracked(sendAll)
  })
  effect(() => {
    const next = me.value?.drafts_rev
    if (next === undefined || next === rev) return
    const isOwn = rev !== undefined && next - rev <= own
    own = isOwn ? own - (next - rev!) : 0
    rev = next
    if (!isOwn) void take()
  })
}

function mark(channel: ChannelId, one: Mark) {
  marks.set(channel, one)
  draftTimes.write(channel, `${one.changed}${one.isStored ? ' stored' : ''}`)
}

function sendAll() {
  for (const [channel, { isStored }] of marks) if (!isStored && !refused.has(channel)) void send(channel)
}

async function send(channel: ChannelId) {
  clearTimeout(timers.get(channel))
  timers.delete(channel)
  const sent = marks.get(channel)
  // Before the first revision is known, drafts of other devices may be newer.
  if (!sent || sent.isStored || rev === undefined) return
  const body = { text: draftOf(channel), updated_ts: sent.changed }
  own++
  try {
    await postJson(`/drafts/${encodeURIComponent(channel)}`, body, { method: 'PUT', keepalive: true })
    if (marks.get(channel) === sent) mark(channel, { ...sent, isStored: true })
  } catch (error) {
    own--
    tolerateFailure(error)
    if (error.status >= 400 && error.status < 500 && error.status !== 429) refused.add(channel)
  }
}

/** Takes over what other devices changed, and sends what they lack. */
async function take() {
  try {
    const found = (await list<DraftPayload>('/drafts')).filter(one => one.thread_id === 0)
    const stored = new Set(found.map(one => one.channel))
    for (const { channel, text, updated_ts: changed } of found) {
      const known = marks.get(channel)
      if (known && known.changed >= changed) continue
      takeDraft(channel, text)
      mark(channel, { changed, isStored: true })
    }
    for (const [channel, { isStored }] of marks) {
      if (!isStored || stored.has(channel)) continue
      takeDraft(channel, '')
      marks.delete(channel)
      draftTimes.remove(channel)
    }
    sendAll()
  } catch (error) {
    tolerateFailure(error)
  }
}
