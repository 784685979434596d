import type { Entries } from '#shared/collections/collection.ts'
import type { StateHash } from '#shared/domain/deltas.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import type { Flusher } from './flusher.ts'
import { type EncodedFrame, frame } from './frames.ts'
import { sentBytes } from './metrics.ts'
import type { Stream } from './stream.ts'
import { TrackedState } from './tracked-state.ts'
import type { Evaluation, Watch } from './watch.ts'
import { type Form, formsFor } from './watch-kinds.ts'

/**
 * Sends the result of one query to all streams that wait for it. Streams with the same payload, or the same change
 * since the same state, share a frame.
 */
export class FrameSender {
  readonly #flusher: Flusher
  readonly #time: Milliseconds
  /** Bytes per millisecond. */
  readonly #rate: number
  readonly #byPayload = new Map<unknown, EncodedFrame>()
  readonly #byText = new Map<string, EncodedFrame>()

  constructor(flusher: Flusher, time: Milliseconds, rate: number) {
    this.#flusher = flusher
    this.#time = time
    this.#rate = rate
  }

  /** Viewers without a payload may not read the channel. */
  sendPayloads(evaluation: Evaluation, payloads: Map<Username, unknown>) {
    this.#sendToAll(evaluation, (stream, form) => {
      const payload = payloads.get(stream.viewer)
      return payload === undefined ? 0 : this.#sendPayload(stream, form, payload)
    })
  }

  /**
   * `parts`: the entries read, by viewer; undefined when nothing was read. `restricted`: the states of viewers who may not
   * see all of it; they get whole states.
   */
  sendState(
    evaluation: Evaluation,
    parts: Map<Username, Entries<unknown>> | undefined,
    restricted?: Map<Username, Entries<unknown>>,
  ) {
    const { watch, due, reads } = evaluation
    const state = watch.state!
    const read = parts && (watch.kind.per === 'viewer' ? parts.get(watch.key) : parts.values().next().value)
    if (read && state.update(read, this.#time, reads instanceof Set ? reads : undefined)) {
      for (const group of watch.forms) if (!due.includes(group)) group.hasUnsent = true
    }
    // No viewer may read the channel.
    if (parts && !read) return
    const mayRead = (stream: Stream) => watch.kind.per !== 'channel' || parts!.has(stream.viewer)
    const plain = new Map<Form, EncodedFrame>()
    const deltas = new Map<StateHash | undefined, EncodedFrame>()
    this.#sendToAll(evaluation, (stream, form) => {
      if (!mayRead(stream)) return 0
      const own = restricted?.get(stream.viewer)
      if (own) return this.#sendRestricted(stream, form, watch, own)
      if (form.deltaOf) return this.#sendDelta(stream, form, watch, deltas)
      if (!plain.has(form)) {
        plain.set(
          form,
          fullFrame(watch, form, () => this.#payloadFrame(form, form.payloadOf!(state))),
        )
      }
      return this.#sendFrame(stream, form, plain.get(form)!)
    })
  }

  #sendRestricted(stream: Stream, form: Form, { key }: Watch, entries: Entries<unknown>): number {
    const state = new TrackedState()
    state.update(entries, this.#time)
    if (!form.deltaOf) return this.#sendFrame(stream, form, this.#payloadFrame(form, form.payloadOf!(state)))
    const from = stream.last(form.index) ?? stream.known.get(form.event)
    stream.known.delete(form.event)
    if (from === state.hash) {
      stream.skip(form.index, state.hash)
      return 0
    }
    const frame = frameOf(form, form.deltaOf(state, undefined, key, state.hash))
    return stream.show(form.index, frame, state.hash)
  }

  #sendToAll({ watch, due, newSubscribers }: Evaluation, send: (stream: Stream, form: Form) => number) {
    for (const { form, streams, meter } of due) {
      let bytes = 0
      for (const stream of streams) bytes += this.#noteQueued(stream, form, send(stream, form))
      meter.spend(bytes, this.#time, this.#rate)
      sentBytes.inc({ event: form.event }, bytes)
    }
    for (const stream of newSubscribers) {
      for (const form of formsFor(watch.kind, stream)) {
        const bytes = this.#noteQueued(stream, form, send(stream, form))
        sentBytes.inc({ event: form.event }, bytes)
      }
    }
  }

  #noteQueued(stream: Stream, form: Form, bytes: number): number {
    if (bytes > 0) this.#flusher.add(stream, form.isUrgent)
    return bytes
  }

  #sendPayload(stream: Stream, form: Form, payload: unknown): number {
    return this.#sendFrame(stream, form, this.#payloadFrame(form, payload), form.hashIn?.(payload))
  }

  #sendFrame(stream: Stream, form: Form, encoded: EncodedFrame, hash?: StateHash): number {
    const known = stream.known.get(form.event)
    if (known !== undefined) {
      stream.known.delete(form.event)
      if (known === (hash ?? encoded.hash)) {
        stream.skip(form.index, encoded.fingerprint)
        return 0
      }
    }
    return stream.show(form.index, encoded)
  }

  #sendDelta(
    stream: Stream,
    form: Form,
    watch: Watch,
    made: Map<StateHash | undefined, EncodedFrame>,
  ): number {
    const { key, state } = watch
    const from = stream.last(form.index) ?? stream.known.get(form.event)
    // Only the first frame depends on it: `seen` may return to counts of this hash after receipts were sent.
    stream.known.delete(form.event)
    const { hash } = state!
    if (from === hash) {
      stream.skip(form.index, hash)
      return 0
    }
    let encoded = made.get(from)
    if (!encoded) {
      const keys = state!.keysSince(from)
      const make = () => frameOf(form, form.deltaOf!(state!, keys, key, hash))
      encoded = keys ? make() : fullFrame(watch, form, make)
      made.set(from, encoded)
    }
    return stream.show(form.index, encoded, hash)
  }

  #payloadFrame(form: Form, payload: unknown): EncodedFrame {
    let encoded = this.#byPayload.get(payload)
    if (encoded) return encoded
    encoded = frameOf(form, payload)
    const same = this.#byText.get(encoded.text)
    if (same) encoded = same
    else this.#byText.set(encoded.text, encoded)
    this.#byPayload.set(payload, encoded)
    return encoded
  }
}

/** Returns the full frame of the state: the one made for an earlier stream while the state has not changed. */
function fullFrame({ kind, state, fullFrames }: Watch, form: Form, make: () => EncodedFrame): EncodedFrame {
  if (kind.per !== 'everybody') return make()
  const { hash } = state!
  const known = fullFrames.get(form)
  if (known?.hash === hash) return known.encoded
  const encoded = make()
  fullFrames.set(form, { hash, encoded })
  return encoded
}

function frameOf(form: Form, payload: unknown): EncodedFrame {
  const encoded = frame(form.event, payload)
  return form.isMixed ? encoded.undeflated() : encoded
}
