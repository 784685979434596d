/**
 * Outgoing messages: a queue for each channel, in order, retried until they are stored or refused. Kept on this device,
 * so that they outlive the page; all tabs of a person work on the same queue, one at a time. `client_id` makes a retry
 * within a day idempotent. Independent of the browser; states: architecture 8.1.
 */
import { batch, signal } from '@preact/signals'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import {
  findPending,
  nextPending,
  reconcilePending,
  removePending,
  setPending,
  updatePending,
} from '../../store/channels/channel-pending.ts'
import {
  inOrder,
  isOld,
  newPending,
  type Pending,
  verdictOf,
  waitAfter,
} from '../../store/messages/pending.ts'
import { rowsOf, type Written, type WrittenRow } from '../../store/writing/written.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { pause } from '../requests/pause.ts'
import type { Underway } from '../requests/upload.ts'
import type { Lane, OutboxChannel, OutboxMessage, OutboxWorld } from './outbox-world.ts'

/** A stored message without a frame after this time: the stream is dead. */
const FRAME_EXPECTED: Milliseconds = 10_000
/** Limit for a response, and for an upload without progress. */
const PATIENCE: Milliseconds = 20_000
const PATIENCE_WITH_IMAGES: Milliseconds = 60_000
/** Other tabs leave younger messages to the tab that created them. */
const OWN_FOR: Milliseconds = 2_000

type Outcome = { isAway: boolean; wait?: Milliseconds }
const DONE: Outcome = { isAway: false }

export class Outbox {
  readonly #world: OutboxWorld
  readonly #uploads = signal<ReadonlyMap<string, number>>(new Map())
  /** Keys of all messages that this page has handled. */
  readonly #known = new Set<string>()
  /** Keys of the messages stored on this device. */
  readonly #durable = new Set<string>()
  readonly #underway = new Map<string, AbortController>()
  readonly #busy = new Set<`${Lane} ${ChannelId}`>()
  readonly #sleepers = new Set<() => void>()
  #lastPendingId = 0
  #lastOrder = 0
  #onMissingFrame = () => {}

  constructor(world: OutboxWorld) {
    this.#world = world
  }

  /** Upload progress of each image, from 0 to 1. */
  get uploads() {
    return this.#uploads
  }

  /** Resumes unsent messages; failed ones wait for the user. `onMissingFrame`: a stored message came with no frame. */
  start(onMissingFrame: () => void) {
    this.#onMissingFrame = onMissingFrame
    this.#world.tabs.listen(message => this.#receive(message))
    void this.#adopt()
  }

  /** Sends the text first, then each file by itself, so that one failure does not lose the rest. */
  send(channel: OutboxChannel, written: Written) {
    const made: Pending[] = []
    for (const row of rowsOf(written)) made.push(this.#pendingOf(channel, row, made[0]))
    setPending(channel, [...channel.pending.peek(), ...made])
    for (const one of made) void this.#keep(one)
    this.#pump(channel)
  }

  /** On the user's request: also for old messages. */
  tryAgain(channel: OutboxChannel, key: string) {
    this.#again(channel, key)
    this.#world.tabs.post({ what: 'again', channel: channel.id, key })
    this.#pump(channel)
  }

  /** Deletes an unsent message or cancels its upload. */
  giveUp(channel: OutboxChannel, key: string) {
    const one = findPending(channel, key)
    this.#forget(channel, key)
    if (one?.file) this.#world.discard(one)
    this.#world.tabs.post({ what: 'gone', channel: channel.id, key })
  }

  /** When the connection is back: sends everything that waits, also from other tabs and earlier pages. */
  resume() {
    for (const wake of this.#sleepers) wake()
    void this.#adopt()
  }

  /** True without storage or with a full disk: then closing the page loses messages. */
  isUnsafe(): boolean {
    if (!this.#world.hasSession()) return false
    return [...this.#world.everyChannel()].some(channel =>
      channel.pending.peek().some(one => one.state !== 'sent' && !this.#durable.has(one.key)),
    )
  }

  /** Takes over stored messages unknown to this page: from an earlier page, or from a tab that may have closed. */
  async #adopt() {
    const all = (await this.#world.storage.all()) ?? []
    const stored = inOrder(all.filter(one => !this.#known.has(one.key)))
    batch(() => {
      for (const one of stored) this.#take(one)
      // It may be stored already, with only the response lost.
      for (const id of new Set(stored.map(one => one.channel)))
        this.#reconcileLoaded(this.#world.channelOf(id))
    })
    for (const channel of this.#world.everyChannel()) this.#pump(channel)
  }

  #take(one: Pending) {
    const channel = this.#world.channelOf(one.channel)
    this.#known.add(one.key)
    this.#durable.add(one.key)
    this.#lastOrder = Math.max(this.#lastOrder, one.order)
    this.#showPicture(channel, one.key, one.file)
    const isHeld = one.state === 'failed' || isOld(one, this.#world.clock.now())
    const row = { ...one.row, id: --this.#lastPendingId }
    const state = isHeld ? 'failed' : 'waiting'
    const needsUpload = one.file !== undefined && this.#world.goesInParts(one.file)
    const taken: Pending = { ...one, row, state, needsUpload, tries: one.tries + 1 }
    setPending(channel, inOrder([...channel.pending.peek(), taken]))
  }

  #reconcileLoaded(channel: OutboxChannel) {
    reconcilePending(channel, channel.liveWindow.peek()?.rows ?? [])
  }

  #pump(channel: OutboxChannel) {
    void this.#pumpLane(channel, 'messages')
    void this.#pumpLane(channel, 'uploads')
  }

  async #pumpLane(channel: OutboxChannel, lane: Lane) {
    if (this.#busy.has(`${lane} ${channel.id}`)) return
    this.#busy.add(`${lane} ${channel.id}`)
    try {
      let failures = 0
      while (nextPending(channel, lane === 'uploads') && this.#world.hasSession()) {
        const outcome = await this.#world.withLock(channel.id, lane, () => this.#deliverNext(channel, lane))
        if (
          !outcome.isAway ||
          (await pause(this.#world.clock, this.#sleepers, waitAfter(++failures, outcome.wait)))
        )
          failures = 0
      }
    } finally {
      this.#busy.delete(`${lane} ${channel.id}`)
    }
  }

  async #deliverNext(channel: OutboxChannel, lane: Lane): Promise<Outcome> {
    const next = nextPending(channel, lane === 'uploads')
    if (!next) return DONE
    if (await this.#wasTakenOver(next)) {
      this.#delivered(channel, next, undefined)
      return DONE
    }
    // Deleted while it waited for the lock.
    const one = findPending(channel, next.key)
    if (one?.state !== 'waiting') return DONE
    if (isOld(one, this.#world.clock.now())) {
      this.#fail(channel, one, undefined)
      return DONE
    }
    return this.#attempt(channel, { ...one, tries: one.tries + 1 }, (next, underway) =>
      lane === 'uploads' ? this.#upload(channel, next, underway) : this.#post(channel, next, underway),
    )
  }

  async #upload(channel: OutboxChannel, one: Pending, underway: Underway) {
    await this.#world.upload(one, underway)
    updatePending(channel, one.key, { state: 'waiting', needsUpload: false, tries: 1 })
    this.#pump(channel)
  }

  async #post(channel: OutboxChannel, one: Pending, underway: Underway) {
    const id = await this.#world.send(one, underway)
    this.#world.tabs.post({ what: 'sent', channel: channel.id, key: one.key, id })
    this.#delivered(channel, one, id)
    if (one.file) this.#world.report({ what: 'upload-finished' })
  }

  /** True if another tab has sent or deleted it: its record is gone. */
  async #wasTakenOver(one: Pending): Promise<boolean> {
    const isYoung = one.tries === 0 && this.#world.clock.now() - one.startedAt < OWN_FOR
    if (!this.#durable.has(one.key) || isYoung) return false
    return (await this.#world.storage.has(one.key)) === false
  }

  async #attempt(
    channel: OutboxChannel,
    one: Pending,
    work: (one: Pending, underway: Underway) => Promise<void>,
  ): Promise<Outcome> {
    updatePending(channel, one.key, { state: 'sending', tries: one.tries })
    const abort = new AbortController()
    const patience = one.file ? PATIENCE_WITH_IMAGES : PATIENCE
    const expire = () => abort.abort(new DOMException('too late', 'TimeoutError'))
    let cancel = this.#world.clock.later(patience, expire)
    this.#underway.set(one.key, abort)
    const onProgress = (share: number) => {
      cancel()
      cancel = this.#world.clock.later(patience, expire)
      this.#uploads.value = new Map(this.#uploads.peek()).set(one.key, share)
    }
    try {
      await work(one, { signal: abort.signal, onProgress })
      return DONE
    } catch (error) {
      return this.#notSent(channel, one, error)
    } finally {
      cancel()
      if (this.#underway.get(one.key) === abort) this.#underway.delete(one.key)
      this.#dropProgress(channel, one.key)
    }
  }

  #notSent(channel: OutboxChannel, one: Pending, error: unknown): Outcome {
    // Deleted by the user, who aborted it.
    if (!findPending(channel, one.key)) return DONE
    tolerateFailure(error)
    switch (verdictOf(error.status, one.tries)) {
      case 'refused':
        this.#fail(channel, one, error.message)
        return DONE
      case 'signed out':
        updatePending(channel, one.key, { state: 'waiting' })
        return DONE
      case 'away':
        updatePending(channel, one.key, { state: 'waiting' })
        return { isAway: true, wait: error.retryAfter * 1_000 }
    }
  }

  /** The server has stored it: its row is here already, or comes with the next frame. */
  #delivered(channel: OutboxChannel, { key }: Pending, id: number | undefined) {
    channel.unconfirmed.delete(key)
    void this.#world.storage.delete(key)
    if (id !== undefined && channel.liveWindow.peek()?.rows.some(row => row.id === id)) {
      channel.keys.set(id, channel.keys.get(id) ?? key)
      removePending(channel, key)
      return
    }
    const isShown = () => channel.pending.peek().some(one => one.key === key)
    if (!isShown()) return
    updatePending(channel, key, { state: 'sent', id })
    this.#reconcileLoaded(channel)
    this.#world.clock.later(FRAME_EXPECTED, () => {
      if (!isShown()) return
      this.#onMissingFrame()
      this.#world.clock.later(FRAME_EXPECTED, () => removePending(channel, key))
    })
  }

  #fail(channel: OutboxChannel, one: Pending, reason: string | undefined) {
    this.#world.tabs.post({ what: 'failed', channel: channel.id, key: one.key, reason })
    this.#failed(channel, one, reason)
    const now = findPending(channel, one.key)
    if (now) void this.#keep(now)
    this.#world.report({ what: 'message-not-sent' })
  }

  #failed(channel: OutboxChannel, one: Pending, reason: string | undefined) {
    // A frame had matched it with another message with the same content.
    if (channel.unconfirmed.delete(one.key)) setPending(channel, inOrder([...channel.pending.peek(), one]))
    updatePending(channel, one.key, { state: 'failed', reason })
  }

  #again(channel: OutboxChannel, key: string) {
    updatePending(channel, key, { state: 'waiting', reason: undefined, startedAt: this.#world.clock.now() })
    const one = findPending(channel, key)
    if (one) void this.#keep(one)
  }

  #forget(channel: OutboxChannel, key: string) {
    channel.unconfirmed.delete(key)
    removePending(channel, key)
    void this.#world.storage.delete(key)
    this.#underway.get(key)?.abort()
    this.#dropProgress(channel, key)
    const picture = channel.pictures.get(key)
    if (picture !== undefined) this.#world.revoke(picture)
    channel.pictures.delete(key)
  }

  #receive(message: OutboxMessage) {
    const channel = this.#world.channelOf(message.channel)
    const one = findPending(channel, message.key)
    // Not to be adopted later, even if unknown here.
    if (message.what === 'sent' || message.what === 'gone') this.#known.add(message.key)
    if (!one) return
    if (message.what === 'sent') this.#delivered(channel, one, message.id)
    else if (message.what === 'failed') this.#failed(channel, one, message.reason)
    else if (message.what === 'gone') this.#forget(channel, message.key)
    else {
      this.#again(channel, message.key)
      this.#pump(channel)
    }
  }

  async #keep(one: Pending) {
    const state = one.state === 'failed' ? 'failed' : 'waiting'
    if (!(await this.#world.storage.put({ ...one, state }))) return
    this.#durable.add(one.key)
    // Sent or deleted in the meantime.
    if (!findPending(this.#world.channelOf(one.channel), one.key)) await this.#world.storage.delete(one.key)
  }

  /** A file in parts keeps it while it waits: the next attempt continues there. */
  #dropProgress(channel: OutboxChannel, key: string) {
    const { state, file } = findPending(channel, key) ?? {}
    if (file && this.#world.goesInParts(file) && (state === 'waiting' || state === 'sending')) return
    this.#uploads.value = new Map([...this.#uploads.peek()].filter(([other]) => other !== key))
  }

  #pendingOf(channel: OutboxChannel, row: WrittenRow, first: Pending | undefined): Pending {
    const key = this.#world.newKey()
    this.#known.add(key)
    const now = this.#world.clock.now()
    const live = channel.liveWindow.peek()
    // Based on the clock, so that the order holds across tabs.
    this.#lastOrder = Math.max(this.#lastOrder + 1, now * 1_000)
    this.#showPicture(channel, key, row.file)
    const written = { ...row, channel: channel.id, sender: this.#world.viewer }
    return {
      ...newPending(written, {
        key,
        now,
        first,
        id: --this.#lastPendingId,
        order: this.#lastOrder,
        cursor: live?.cursor ?? 0,
        above: channel.pending.peek().at(-1)?.row.ts ?? live?.rows.at(-1)?.ts ?? 0,
      }),
      needsUpload: row.file !== undefined && this.#world.goesInParts(row.file),
    }
  }

  #showPicture(channel: OutboxChannel, key: string, file: File | undefined) {
    if (file?.type.startsWith('image/')) channel.pictures.set(key, this.#world.addressOf(file))
  }
}
