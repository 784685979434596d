/**
 * Keeps the drafts in agreement with the server: the newest of all devices wins (interface 10.29). Without a connection
 * this device keeps its own, and sends them later. Texts only; files wait on the device. Its tabs share texts and times in
 * the storage, which is read at the moment of each decision.
 */
import { effect, untracked } from '@preact/signals'
import type { DraftPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Milliseconds, Seconds } from '#shared/domain/units.ts'
import {
  draftOf,
  drafts,
  draftTimes,
  isOfThread,
  onDraftKept,
  storedDraft,
  takeDraft,
} from '../store/drafts.ts'
import { isConnected, me } from '../store/store.ts'
import { postJson, request, whole } from './endpoints.ts'
import { tolerateFailure } from './failure.ts'

/** After the last key. */
const SENT_AFTER: Milliseconds = 2_000
/** Age of drafts from before they were sent anywhere. */
const OLD: Seconds = 1
/** Times of removed drafts are kept against responses that are late. */
const REMOVED_KEPT: Seconds = 3600
/** Clocks closer than this count as equal: the server tells whole seconds. */
const SKEW: Seconds = 2

const timers = new Map<ChannelId, ReturnType<typeof setTimeout>>()
/** Channels with a request, at most one each. */
const underway = new Set<ChannelId>()
/** Refused by the server; tried again after the next change. */
const refused = new Set<ChannelId>()
let rev: number | undefined
/** Lead of the server's clock over that of the device. */
let ahead: Seconds = 0

export function startSyncingDrafts() {
  const times = draftTimes.readAll()
  for (const channel of drafts.peek().keys())
    if (!times.has(channel) && !isOfThread(channel)) mark(channel, OLD)
  onDraftKept(channel => {
    const [known = 0] = timeOf(channel)
    mark(channel, Math.max(now(), known + 0.001))
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
    rev = next
    void take()
  })
}

const now = (): Seconds => Date.now() / 1000 + ahead

/** When the draft was changed, and whether the server has it. */
function timeOf(channel: ChannelId, text = draftTimes.readAll().get(channel)) {
  const [changed, stored] = text?.split(' ') ?? []
  return changed === undefined ? [] : ([Number(changed) || OLD, stored === 'stored'] as const)
}

function mark(channel: ChannelId, changed: Seconds, isStored = false) {
  draftTimes.write(channel, `${changed}${isStored ? ' stored' : ''}`)
}

function sendAll() {
  for (const channel of draftTimes.readAll().keys()) if (!refused.has(channel)) void send(channel)
}

async function send(channel: ChannelId) {
  clearTimeout(timers.get(channel))
  timers.delete(channel)
  const [changed, isStored] = timeOf(channel)
  // Before the first revision is known, drafts of other devices may be newer.
  if (changed === undefined || isStored || rev === undefined || underway.has(channel)) return
  underway.add(channel)
  try {
    const response = await postJson(
      `/drafts/${encodeURIComponent(channel)}`,
      { text: storedDraft(channel), updated_ts: changed },
      { method: 'PUT', keepalive: true },
    )
    const isLast = timeOf(channel)[0] === changed
    if (isLast) mark(channel, changed, true)
    underway.delete(channel)
    if (!isLast && !timers.has(channel)) void send(channel)
    if (response.headers.has('X-Draft-Ignored')) void take()
  } catch (error) {
    underway.delete(channel)
    tolerateFailure(error)
    if (error.status >= 400 && error.status < 500 && error.status !== 429) refused.add(channel)
  }
}

/** Takes over what other devices changed, and sends what they lack. Changes made here meanwhile stay. */
async function take() {
  try {
    const before = draftTimes.readAll()
    const response = await request('/drafts')
    const found = ((await whole(response.json())) as DraftPayload[]).filter(one => one.thread_id === 0)
    const off = Date.parse(response.headers.get('Date') ?? '') / 1000 - Date.now() / 1000
    ahead = Math.abs(off) > SKEW ? off : 0
    const stored = new Set(found.map(one => one.channel))
    for (const { channel, text, updated_ts: changed } of found) {
      const [known = 0] = timeOf(channel)
      if (known >= changed) continue
      takeDraft(channel, text)
      mark(channel, changed, true)
    }
    for (const [channel, text] of draftTimes.readAll()) {
      const [changed, isStored] = timeOf(channel, text)
      if (!isStored || stored.has(channel) || before.get(channel) !== text) continue
      if (draftOf(channel) !== '') takeDraft(channel, '')
      if (changed! < now() - REMOVED_KEPT) draftTimes.remove(channel)
    }
    sendAll()
  } catch (error) {
    tolerateFailure(error)
  }
}
