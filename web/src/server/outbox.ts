/** Messages on their way out: one queue for each channel, in order, tried again until they are there or refused. */
import { batch } from '@preact/signals'
import type { MessagePayload } from '#shared/rules/payloads.ts'
import { announce } from '../feedback/feedback.ts'
import { type Channel, channelOf, everyChannel } from '../store/channels.ts'
import { claims, type Pending, pendingRow } from '../store/pending.ts'
import { viewer } from '../store/store.ts'
import { words } from '../words.ts'
import * as endpoints from './endpoints.ts'

const WAITS = [0, 1_000, 2_000, 4_000, 8_000]
/** A stored message whose frame does not come: the stream is dead without knowing it. */
const FRAME_EXPECTED = 10_000
const STILL_FRESH = 60_000
const KEPT = `bothy outbox ${viewer}`

const busy = new Set<Channel>()
let lastPendingId = 0
let streamIsDeaf = () => {}

export function onDeafStream(listener: () => void) {
  streamIsDeaf = listener
}

export interface Written {
  text: string
  replyTo?: number | undefined
  files: File[]
}

/** The text first, then each image by itself, so that one failure does not lose the rest. */
export function send(channel: Channel, { text, replyTo, files }: Written) {
  const made: Pending[] = []
  if (text !== '') made.push(pendingOf(channel, text, replyTo))
  for (const file of files) made.push(pendingOf(channel, '', made.length === 0 ? replyTo : undefined, file))
  setPending(channel, [...channel.pending.value, ...made])
  void pump(channel)
}

export function tryAgain(channel: Channel, key: string) {
  update(channel, key, { state: 'waiting', reason: undefined, startedAt: Date.now() })
  void pump(channel)
}

export function giveUp(channel: Channel, key: string) {
  setPending(
    channel,
    channel.pending.value.filter(one => one.key !== key),
  )
}

/** The connection is back: what failed for want of it goes out again. The server stores no `client_id` twice. */
export function resume() {
  for (const channel of everyChannel()) {
    const lost = channel.pending.value.filter(one => one.state === 'failed' && one.reason === '')
    for (const one of lost) update(channel, one.key, { state: 'waiting', startedAt: Date.now() })
    void pump(channel)
  }
}

/** Rows of a frame that this tab has written take the place, and the key, of what was pending. To be called before they are merged. */
export function settleFrame(channel: Channel, rows: MessagePayload[]) {
  const unknown = rows.filter(row => row.sender === viewer && !channel.keys.has(row.id))
  const claimed = claims(channel.pending.value, unknown, viewer)
  if (claimed.size === 0) return
  for (const [key, row] of claimed) channel.keys.set(row.id, key)
  setPending(
    channel,
    channel.pending.value.filter(one => !claimed.has(one.key)),
  )
}

/** After a reload: what was on its way goes on, by the same `client_id`; what is older waits for a word. */
export function restoreOutbox() {
  for (const one of kept()) {
    const channel = channelOf(one.channel)
    const fresh = one.state !== 'failed' && Date.now() - one.startedAt < STILL_FRESH
    lastPendingId = Math.min(lastPendingId, one.row.id)
    setPending(channel, [
      ...channel.pending.value,
      { ...one, id: undefined, state: fresh ? 'waiting' : 'failed' },
    ])
    void pump(channel)
  }
}

/** Kept for this tab only: two tabs must not send for one another. Images do not fit. */
function setPending(channel: Channel, list: Pending[]) {
  channel.pending.value = list
  try {
    const all = [...everyChannel()].flatMap(other => other.pending.value).filter(one => !one.file)
    if (all.length > 0) sessionStorage.setItem(KEPT, JSON.stringify(all))
    else sessionStorage.removeItem(KEPT)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

function kept(): Pending[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as Pending[]
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error
    return []
  }
}

async function pump(channel: Channel) {
  if (busy.has(channel)) return
  busy.add(channel)
  try {
    for (let next = firstWaiting(channel); next; next = firstWaiting(channel)) await deliver(channel, next)
  } finally {
    busy.delete(channel)
  }
}

function firstWaiting(channel: Channel) {
  return channel.pending.value.find(one => one.state === 'waiting')
}

async function deliver(channel: Channel, one: Pending) {
  update(channel, one.key, { state: 'sending' })
  for (const wait of WAITS) {
    await pause(wait)
    // Deleted meanwhile. One that a frame has claimed goes on: only the answer says for certain that it is stored.
    if (isGone(channel, one)) return
    try {
      delivered(channel, one, await endpoints.send(channel.id, outgoing(one)))
      return
    } catch (error) {
      if (!(error instanceof endpoints.Failure)) throw error
      if (error.status >= 400 && error.status < 500 && error.status !== 429)
        return fail(channel, one, error.message)
      if (error.retryAfter > 0) await pause(Math.min(error.retryAfter, 30) * 1000)
    }
  }
  fail(channel, one, '')
}

function delivered(channel: Channel, one: Pending, id: number | undefined) {
  if (id !== undefined && channel.live.value?.rows.some(row => row.id === id)) {
    channel.keys.set(id, channel.keys.get(id) ?? one.key)
    giveUp(channel, one.key)
    return
  }
  if (!channel.pending.value.some(other => other.key === one.key)) return
  update(channel, one.key, { state: 'sent', id })
  setTimeout(() => {
    if (channel.pending.value.some(other => other.key === one.key)) streamIsDeaf()
  }, FRAME_EXPECTED)
}

/** With the connection gone, what waits behind cannot go out either; it keeps its order by failing together. */
function fail(channel: Channel, one: Pending, reason: string) {
  batch(() => {
    if (!channel.pending.value.some(other => other.key === one.key))
      setPending(channel, [one, ...channel.pending.value])
    update(channel, one.key, { state: 'failed', reason })
    if (reason !== '') return
    for (const other of channel.pending.value) {
      if (other.state === 'waiting') update(channel, other.key, { state: 'failed', reason })
    }
  })
  announce(words.announce.notSent, true)
}

function isGone(channel: Channel, one: Pending) {
  const claimed = [...channel.keys.values()].includes(one.key)
  return !claimed && !channel.pending.value.some(other => other.key === one.key)
}

function update(channel: Channel, key: string, change: Partial<Pending>) {
  setPending(
    channel,
    channel.pending.value.map(one => (one.key === key ? { ...one, ...change } : one)),
  )
}

function outgoing(one: Pending): endpoints.Outgoing {
  const message = { text: one.text, replyTo: one.replyTo, clientId: one.key }
  return one.file ? { ...message, file: one.file } : message
}

function pendingOf(channel: Channel, text: string, replyTo: number | undefined, file?: File): Pending {
  const key = newId()
  const log = channel.live.value
  const above = channel.pending.value.at(-1)?.row.ts ?? log?.rows.at(-1)?.ts ?? 0
  const about = {
    channel: channel.id,
    sender: viewer,
    text,
    replyTo: replyTo ?? null,
    filename: file ? file.name : null,
  }
  if (file) channel.pictures.set(key, URL.createObjectURL(file))
  const pending: Pending = {
    key,
    channel: channel.id,
    text,
    replyTo: replyTo ?? null,
    row: pendingRow(about, --lastPendingId, Math.max(Date.now() / 1000, above)),
    state: 'waiting',
    after: log?.cursor ?? 0,
    startedAt: Date.now(),
  }
  return file ? { ...pending, file } : pending
}

/** A version 4 UUID. `crypto.randomUUID` exists only in a secure context, and http on a LAN is none. */
function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const pause = (ms: number) => (ms > 0 ? new Promise(resolve => setTimeout(resolve, ms)) : Promise.resolve())
