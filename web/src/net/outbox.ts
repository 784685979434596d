/**
 * Outgoing messages: a queue for each channel, in order, retried until they are stored or refused. Kept on this device,
 * so that they outlive the page; all tabs of a person work on the same queue, one at a time. `client_id` makes a retry
 * within a day idempotent.
 */
import { batch, signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { type Channel, channelOf, everyChannel, notSent } from '../store/channels.ts'
import {
  inOrder,
  isOld,
  matchPending,
  type Pending,
  pendingRow,
  verdictOf,
  waitAfter,
} from '../store/pending.ts'
import { report } from '../store/reports.ts'
import { session, viewer } from '../store/store.ts'
import * as endpoints from './endpoints.ts'
import { tolerateFailure } from './failure.ts'
import { database, forgetDatabase } from './indexed-db.ts'
import { createClaims, withLock } from './tab-lock.ts'

/** A stored message without a frame after this time: the stream is dead. */
const FRAME_EXPECTED: Milliseconds = 10_000
/** Limit for a response, and for an upload without progress. */
const PATIENCE: Milliseconds = 20_000
const PATIENCE_WITH_IMAGES: Milliseconds = 60_000
/** Other tabs leave younger messages to the tab that created them. */
const OWN_FOR: Milliseconds = 2_000

const NAME = `bothy outbox ${viewer}`
const kept = database(NAME, db => {
  db.createObjectStore('messages', { keyPath: 'key' })
  createClaims(db)
})

/** Upload progress of each image, from 0 to 1. */
export const uploads = signal<ReadonlyMap<string, number>>(new Map())

/** Keys of all messages that this page has handled. */
const known = new Set<string>()
/** Replaced by a frame before the response: no longer shown as pending, but sent until the server confirms. */
const unanswered = new Map<string, Pending>()
/** Keys of the messages stored on this device. */
const durable = new Set<string>()
const underway = new Map<string, AbortController>()
const busy = new Set<Channel>()
const sleepers = new Set<() => void>()
let lastPendingId = 0
let lastOrder = 0
let streamIsDeaf = () => {}

export function onDeafStream(listener: () => void) {
  streamIsDeaf = listener
}

export interface Written {
  text: string
  replyTo?: number | undefined
  files: File[]
}

/** Sends the text first, then each image by itself, so that one failure does not lose the rest. */
export function send(channel: Channel, { text, replyTo, files }: Written) {
  const made: Pending[] = []
  if (text !== '') made.push(pendingOf(channel, text, replyTo))
  for (const file of files) made.push(pendingOf(channel, '', made.length === 0 ? replyTo : undefined, file))
  setPending(channel, [...channel.pending.value, ...made])
  for (const one of made) void keep(one)
  void pump(channel)
}

/** On the user's request: also for old messages. */
export function tryAgain(channel: Channel, key: string) {
  again(channel, key)
  tell({ what: 'again', channel: channel.id, key })
  void pump(channel)
}

/** Deletes an unsent message or cancels its upload. */
export function giveUp(channel: Channel, key: string) {
  forget(channel, key)
  tell({ what: 'gone', channel: channel.id, key })
}

/** When the connection is back: sends everything that waits, also from other tabs and earlier pages. */
export function resume() {
  for (const wake of sleepers) wake()
  void adopt()
}

/** Own rows of a frame replace the pending messages and take over their keys. Call before the rows are merged. */
export function reconcilePending(channel: Channel, rows: MessagePayload[]) {
  const unknown = rows.filter(row => row.sender === viewer && !channel.keys.has(row.id))
  const matches = matchPending(channel.pending.value, unknown, viewer)
  if (matches.size === 0) return
  for (const [key, row] of matches) channel.keys.set(row.id, key)
  for (const one of channel.pending.value)
    if (matches.has(one.key) && one.state !== 'sent') unanswered.set(one.key, one)
  setPending(
    channel,
    channel.pending.value.filter(one => !matches.has(one.key)),
  )
}

/** On start-up, resumes unsent messages; failed ones wait for the user. */
export function startOutbox() {
  news?.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data))
  addEventListener('beforeunload', event => {
    if (isSomethingUnsafe()) event.preventDefault()
  })
  void adopt()
}

/** The account is deleted. */
export function forgetOutbox() {
  return forgetDatabase(NAME)
}

/** Takes over stored messages unknown to this page: from an earlier page, or from a tab that may have closed. */
async function adopt() {
  const all = await kept.run<Pending[]>('messages', 'readonly', store => store.getAll())
  const found = inOrder((all ?? []).filter(one => !known.has(one.key)))
  batch(() => {
    for (const one of found) {
      const channel = channelOf(one.channel)
      known.add(one.key)
      durable.add(one.key)
      lastOrder = Math.max(lastOrder, one.order)
      if (one.file) channel.pictures.set(one.key, URL.createObjectURL(one.file))
      const held = one.state !== 'failed' && isOld(one, Date.now())
      const row = { ...one.row, id: --lastPendingId }
      const state = held || one.state === 'failed' ? 'failed' : 'waiting'
      setPending(channel, inOrder([...channel.pending.value, { ...one, row, state, tries: one.tries + 1 }]))
    }
    // It may be stored already, with only the response lost.
    for (const id of new Set(found.map(one => one.channel)))
      reconcilePending(channelOf(id), channelOf(id).liveWindow.peek()?.rows ?? [])
  })
  for (const channel of everyChannel()) void pump(channel)
}

async function pump(channel: Channel) {
  if (busy.has(channel)) return
  busy.add(channel)
  try {
    let failures = 0
    while (next(channel) && session.peek() !== 'ended') {
      const outcome = await withLock(kept, `${NAME} ${channel.id}`, () => deliverNext(channel))
      if (!outcome.isAway || (await sleep(waitAfter(++failures, outcome.wait)))) failures = 0
    }
  } finally {
    busy.delete(channel)
  }
}

function next(channel: Channel): Pending | undefined {
  const mine = [...unanswered.values()].filter(one => one.channel === channel.id)
  return inOrder([...mine, ...channel.pending.peek()]).find(one => one.state === 'waiting')
}

interface Outcome {
  isAway: boolean
  wait?: Milliseconds
}
const DONE: Outcome = { isAway: false }

async function deliverNext(channel: Channel): Promise<Outcome> {
  const found = next(channel)
  if (!found) return DONE
  if (await wasTakenOver(found)) {
    delivered(channel, found, undefined)
    return DONE
  }
  // Deleted while it waited for its turn.
  const one = byKey(channel, found.key)
  if (one?.state !== 'waiting') return DONE
  if (isOld(one, Date.now())) {
    fail(channel, one, undefined)
    return DONE
  }
  return attempt(channel, { ...one, tries: one.tries + 1 })
}

async function attempt(channel: Channel, one: Pending): Promise<Outcome> {
  update(channel, one.key, { state: 'sending', tries: one.tries })
  const abort = new AbortController()
  const patience = one.file ? PATIENCE_WITH_IMAGES : PATIENCE
  const expire = () => abort.abort(new DOMException('too late', 'TimeoutError'))
  let timer = setTimeout(expire, patience)
  underway.set(one.key, abort)
  const onProgress = (share: number) => {
    clearTimeout(timer)
    timer = setTimeout(expire, patience)
    uploads.value = new Map(uploads.peek()).set(one.key, share)
  }
  try {
    const id = await endpoints.send(channel.id, outgoing(one), { signal: abort.signal, onProgress })
    tell({ what: 'sent', channel: channel.id, key: one.key, id })
    delivered(channel, one, id)
    if (one.file) report({ what: 'upload-finished' })
    return DONE
  } catch (error) {
    if (!known.has(one.key) || !byKey(channel, one.key)) return DONE
    tolerateFailure(error)
    switch (verdictOf(error.status, one.tries)) {
      case 'refused':
        fail(channel, one, error.message)
        return DONE
      case 'signed out':
        update(channel, one.key, { state: 'waiting' })
        return DONE
      case 'away':
        update(channel, one.key, { state: 'waiting' })
        return { isAway: true, wait: error.retryAfter * 1_000 }
    }
  } finally {
    clearTimeout(timer)
    underway.delete(one.key)
    dropProgress(one.key)
  }
}

/** True if another tab has sent or deleted it: its record is gone. */
async function wasTakenOver(one: Pending): Promise<boolean> {
  if (!durable.has(one.key) || (one.tries === 0 && Date.now() - one.startedAt < OWN_FOR)) return false
  const count = await kept.run('messages', 'readonly', store => store.count(one.key))
  return count === 0
}

/** The server has stored it: its row is here already, or comes with the next frame. */
function delivered(channel: Channel, { key }: Pending, id: number | undefined) {
  unanswered.delete(key)
  void drop(key)
  if (id !== undefined && channel.liveWindow.peek()?.rows.some(row => row.id === id)) {
    channel.keys.set(id, channel.keys.get(id) ?? key)
    removePending(channel, key)
    return
  }
  const isShown = () => channel.pending.peek().some(one => one.key === key)
  if (!isShown()) return
  update(channel, key, { state: 'sent', id })
  if (channel.liveWindow.peek()) reconcilePending(channel, channel.liveWindow.peek()!.rows)
  setTimeout(() => {
    if (!isShown()) return
    streamIsDeaf()
    setTimeout(() => removePending(channel, key), FRAME_EXPECTED)
  }, FRAME_EXPECTED)
}

function fail(channel: Channel, one: Pending, reason: string | undefined) {
  tell({ what: 'failed', channel: channel.id, key: one.key, reason })
  failed(channel, one, reason)
  const now = byKey(channel, one.key)
  if (now) void keep(now)
  report({ what: 'message-not-sent' })
}

function failed(channel: Channel, one: Pending, reason: string | undefined) {
  // A frame had matched it with another message with the same content.
  if (unanswered.delete(one.key)) setPending(channel, inOrder([...channel.pending.peek(), one]))
  update(channel, one.key, { state: 'failed', reason })
}

function again(channel: Channel, key: string) {
  update(channel, key, { state: 'waiting', reason: undefined, startedAt: Date.now() })
  const one = byKey(channel, key)
  if (one) void keep(one)
}

function forget(channel: Channel, key: string) {
  unanswered.delete(key)
  removePending(channel, key)
  void drop(key)
  underway.get(key)?.abort()
}

/** Messages between the tabs of a person. */
type News = { channel: ChannelId; key: string } & (
  | { what: 'sent'; id: number | undefined }
  | { what: 'failed'; reason: string | undefined }
  | { what: 'again' }
  | { what: 'gone' }
)

const news = typeof BroadcastChannel === 'function' ? new BroadcastChannel(NAME) : undefined

function tell(what: News) {
  news?.postMessage(what)
}

function hear(heard: News) {
  const channel = channelOf(heard.channel)
  const one = byKey(channel, heard.key)
  // Not to be adopted later, even if unknown here.
  if (heard.what === 'sent' || heard.what === 'gone') known.add(heard.key)
  if (!one) return
  if (heard.what === 'sent') delivered(channel, one, heard.id)
  else if (heard.what === 'failed') failed(channel, one, heard.reason)
  else if (heard.what === 'gone') forget(channel, heard.key)
  else {
    again(channel, heard.key)
    void pump(channel)
  }
}

function byKey(channel: Channel, key: string): Pending | undefined {
  return channel.pending.peek().find(one => one.key === key) ?? unanswered.get(key)
}

function update(channel: Channel, key: string, change: Partial<Pending>) {
  const hidden = unanswered.get(key)
  if (hidden) return void unanswered.set(key, { ...hidden, ...change })
  setPending(
    channel,
    channel.pending.peek().map(one => (one.key === key ? { ...one, ...change } : one)),
  )
}

function removePending(channel: Channel, key: string) {
  const list = channel.pending.peek()
  if (list.some(one => one.key === key))
    setPending(
      channel,
      list.filter(one => one.key !== key),
    )
}

function setPending(channel: Channel, list: Pending[]) {
  channel.pending.value = list
  const failed = list.some(one => one.state === 'failed')
  if (failed === notSent.peek().has(channel.id)) return
  const all = new Set(notSent.peek())
  if (failed) all.add(channel.id)
  else all.delete(channel.id)
  notSent.value = all
}

async function keep(one: Pending) {
  const state = one.state === 'failed' ? 'failed' : 'waiting'
  const key = await kept.run('messages', 'readwrite', store => store.put({ ...one, state }))
  if (key === undefined) return
  durable.add(one.key)
  // Sent or deleted in the meantime.
  if (!byKey(channelOf(one.channel), one.key)) await drop(one.key)
}

function drop(key: string) {
  return kept.run('messages', 'readwrite', store => store.delete(key))
}

/** Without storage or with a full disk: then closing the page needs a warning. */
function isSomethingUnsafe(): boolean {
  if (session.peek() === 'ended') return false
  return [...everyChannel()].some(channel =>
    channel.pending.peek().some(one => one.state !== 'sent' && !durable.has(one.key)),
  )
}

function dropProgress(key: string) {
  if (!uploads.peek().has(key)) return
  const left = new Map(uploads.peek())
  left.delete(key)
  uploads.value = left
}

function outgoing(one: Pending): endpoints.Outgoing {
  const message = { text: one.text, replyTo: one.replyTo, clientId: one.key }
  return one.file ? { ...message, file: one.file } : message
}

function pendingOf(channel: Channel, text: string, replyTo: number | undefined, file?: File): Pending {
  const key = newId()
  const live = channel.liveWindow.value
  const above = channel.pending.value.at(-1)?.row.ts ?? live?.rows.at(-1)?.ts ?? 0
  const about = {
    channel: channel.id,
    sender: viewer,
    text,
    replyTo: replyTo ?? null,
    filename: file ? file.name : null,
  }
  known.add(key)
  // Based on the clock, so that the order holds across tabs.
  lastOrder = Math.max(lastOrder + 1, Date.now() * 1_000)
  if (file) channel.pictures.set(key, URL.createObjectURL(file))
  const pending: Pending = {
    key,
    channel: channel.id,
    text,
    replyTo: replyTo ?? null,
    row: pendingRow(about, --lastPendingId, Math.max(Date.now() / 1000, above)),
    state: 'waiting',
    after: live?.cursor ?? 0,
    order: lastOrder,
    tries: 0,
    startedAt: Date.now(),
  }
  return file ? { ...pending, file } : pending
}

/** Resolves after the time, or early when the connection is back; returns whether it is. */
function sleep(ms: Milliseconds): Promise<boolean> {
  return new Promise(resolve => {
    const end = (isBack: boolean) => {
      clearTimeout(timer)
      sleepers.delete(wake)
      resolve(isBack)
    }
    const wake = () => end(true)
    const timer = setTimeout(() => end(false), ms)
    sleepers.add(wake)
  })
}

/** A version 4 UUID. `crypto.randomUUID` needs a secure context, which http on a LAN is not. */
function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
