/**
 * Keeps the drafts in agreement with the server: the newest of all devices wins (interface 11.5). Without a connection
 * this device keeps its own, and sends them later. Texts only; files wait on the device. Its tabs share texts and times in
 * the storage, which is read at the moment of each decision.
 */
import { effect, untracked } from '@preact/signals'
import type { DraftPayload } from '#shared/domain/payloads/later.ts'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { isConnected, me, session, viewer } from '../../store/store.ts'
import {
  draftOf,
  drafts,
  draftTimes,
  forgetStoredDrafts,
  onDraftKept,
  placeOfDraft,
  rootOfOldDraft,
  STORED,
  storedDraft,
  takeDraft,
  threadDraft,
  UNKNOWN_TIME,
} from '../../store/writing/drafts.ts'
import { allPages, postJson, wholeMessage } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

/** After the last key. */
const SENT_AFTER: Milliseconds = 2_000
/** Times of removed drafts are kept against responses that are late. */
const REMOVED_KEPT: Seconds = 3600
/** Clocks closer than this count as equal: the server tells whole seconds. */
const SKEW: Seconds = 2

const timers = new Map<string, ReturnType<typeof setTimeout>>()
/** The request of each draft, at most one. */
const underway = new Map<string, Promise<void>>()
/** Refused by the server; tried again after the next change. */
const refused = new Set<string>()
let rev: number | undefined
let isLeaving = false
/** Resolved when the drafts of other devices were read for the first time. */
let noteCompared = () => {}
const compared = new Promise<void>(resolve => {
  noteCompared = resolve
})
/** Lead of the server's clock over that of the device. */
let ahead: Seconds = 0

export function startSyncingDrafts() {
  const times = draftTimes.readAll()
  for (const key of drafts.peek().keys()) if (!times.has(key) && placeOfDraft(key)) mark(key, UNKNOWN_TIME)
  void nameChannelsOfThreads()
  onDraftKept(key => {
    const [known = 0] = timeOf(key)
    mark(key, Math.max(now(), known + 0.001))
    refused.delete(key)
    clearTimeout(timers.get(key))
    timers.set(
      key,
      setTimeout(() => void send(key), SENT_AFTER),
    )
  })
  for (const name of ['blur', 'pagehide']) addEventListener(name, sendAll)
  effect(() => {
    if (isConnected()) untracked(sendAll)
  })
  effect(() => {
    if (session.value !== 'ended') return
    stopTakingDrafts()
    forgetStoredDrafts(viewer)
  })
  effect(() => {
    const next = me.value?.drafts_rev
    if (next === undefined || next === rev) return
    rev = next
    void take().finally(noteCompared)
  })
}

const now = (): Seconds => Date.now() / 1000 + ahead

/** When the draft was changed, and whether the server has it. */
function timeOf(key: string, text = draftTimes.readAll().get(key)) {
  if (text === undefined) return []
  return [Number.parseFloat(text) || UNKNOWN_TIME, text.endsWith(STORED)] as const
}

function mark(key: string, changed: Seconds, isStored = false) {
  draftTimes.write(key, `${changed}${isStored ? STORED : ''}`)
}

const sendAll = () => void sendDrafts()

/** Sends what the server lacks. Ends with the last response. */
export async function sendDrafts() {
  await Promise.all([...draftTimes.readAll().keys()].filter(key => !refused.has(key)).map(send))
}

/** Sends the drafts of a tab that is about to sign out, which may just have opened. */
export async function sendLastDrafts() {
  await compared
  await sendDrafts()
}

/** Takes no draft any more: one that arrived between signing out and the next page would stay on the device. */
export function stopTakingDrafts() {
  isLeaving = true
}

async function send(key: string): Promise<void> {
  clearTimeout(timers.get(key))
  timers.delete(key)
  const [changed, isStored] = timeOf(key)
  // Before the first revision is known, drafts of other devices may be newer.
  const place = placeOfDraft(key)
  if (!place || changed === undefined || isStored || rev === undefined) return
  // The caller waits for this request too, and for what was written since.
  const earlier = underway.get(key)
  if (earlier) return earlier
  const request = put(key, place, changed)
  underway.set(key, request)
  await request
}

async function put(key: string, place: NonNullable<ReturnType<typeof placeOfDraft>>, changed: Seconds) {
  try {
    const response = await postJson(
      `/drafts/${encodeURIComponent(place.channel)}`,
      { text: storedDraft(key), thread_id: place.thread_id, updated_ts: changed },
      { method: 'PUT', keepalive: true },
    )
    const isLast = timeOf(key)[0] === changed
    if (isLast) mark(key, changed, true)
    underway.delete(key)
    if (response.headers.has('X-Draft-Ignored')) void take()
    if (!isLast && !timers.has(key)) await send(key)
  } catch (error) {
    underway.delete(key)
    tolerateFailure(error)
    if (error.status >= 400 && error.status < 500 && error.status !== 429) refused.add(key)
  }
}

/** Takes over what other devices changed, and sends what they lack. Changes made here meanwhile stay. */
async function take() {
  try {
    const before = draftTimes.readAll()
    const { pages, response } = await allPages<DraftPayload>('/drafts')
    if (isLeaving) return
    const drafts = pages.flat().map(one => ({ ...one, key: keyOf(one) }))
    const off = Date.parse(response.headers.get('Date') ?? '') / 1000 - Date.now() / 1000
    ahead = Math.abs(off) > SKEW ? off : 0
    const stored = new Set(drafts.map(one => one.key))
    for (const { key, text, updated_ts: changed } of drafts) {
      const [known = 0] = timeOf(key)
      if (known >= changed) continue
      takeDraft(key, text)
      mark(key, changed, true)
    }
    for (const [key, text] of draftTimes.readAll()) {
      const [changed, isStored] = timeOf(key, text)
      if (!isStored || stored.has(key) || before.get(key) !== text) continue
      if (draftOf(key) !== '') takeDraft(key, '')
      if (changed! < now() - REMOVED_KEPT) draftTimes.remove(key)
    }
    sendAll()
  } catch (error) {
    tolerateFailure(error)
  }
}

const keyOf = ({ channel, thread_id: root }: DraftPayload) =>
  root === 0 ? channel : threadDraft(root, channel)

/** Drafts of threads were kept without their channel once, on this device alone. */
async function nameChannelsOfThreads() {
  for (const old of [...drafts.peek().keys()].slice(0, MOST_OLD)) {
    const root = rootOfOldDraft(old)
    if (root === undefined) continue
    try {
      const { channel } = await wholeMessage(root)
      const key = threadDraft(root, channel)
      if (draftOf(key) === '') {
        takeDraft(key, draftOf(old))
        mark(key, UNKNOWN_TIME)
        void send(key)
      }
      takeDraft(old, '')
    } catch (error) {
      // The next start tries again.
      tolerateFailure(error)
    }
  }
}

/** Requests at a start. */
const MOST_OLD = 200
