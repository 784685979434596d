import type { Entries } from '#shared/collections/collection.ts'
import type { StateHash } from '#shared/domain/deltas.ts'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import type { Flusher } from './flusher.ts'
import { frame, type Packet } from './frames.ts'
import { type Form, formsFor } from './kinds.ts'
import type { Stream } from './stream.ts'
import type { Turn, Watch } from './watch.ts'

/**
 * Sends the result of one query to all streams that wait for it. Streams with the same payload, or the same change
 * since the same state, share a frame.
 */
export class Showing {
  readonly #flusher: Flusher
  readonly #time: Milliseconds
  /** Bytes per millisecond. */
  readonly #rate: number
  readonly #byPayload = new Map<unknown, Packet>()
  readonly #byText = new Map<string, Packet>()

  constructor(flusher: Flusher, time: Milliseconds, rate: number) {
    this.#flusher = flusher
    this.#time = time
    this.#rate = rate
  }

  /** Viewers without a payload may not read the channel. */
  payloads(turn: Turn, payloads: Map<Username, unknown>) {
    this.#toAll(turn, (stream, form) => {
      const payload = payloads.get(stream.viewer)
      return payload === undefined ? 0 : this.#showPlain(stream, form, payload)
    })
  }

  /** `parts`: the entries read, by viewer; undefined when nothing was read. */
  state(turn: Turn, parts: Map<Username, Entries<unknown>> | undefined) {
    const { watch, due, reads } = turn
    const state = watch.state!
    const read = parts && (watch.kind.per === 'viewer' ? parts.get(watch.key) : parts.values().next().value)
    if (read && state.update(read, this.#time, reads instanceof Set ? reads : undefined)) {
      for (const shown of watch.forms) if (!due.includes(shown)) shown.owed = true
    }
    // No viewer may read the channel.
    if (parts && !read) return
    const mayRead = (stream: Stream) => watch.kind.per !== 'channel' || parts!.has(stream.viewer)
    const plain = new Map<Form, Packet>()
    const deltas = new Map<StateHash | undefined, Packet>()
    this.#toAll(turn, (stream, form) => {
      if (!mayRead(stream)) return 0
      if (form.deltaOf) return this.#showDelta(stream, form, watch, deltas)
      if (!plain.has(form)) {
        plain.set(
          form,
          fullFrame(watch, form, () => this.#packetOf(form, form.payloadOf!(state))),
        )
      }
      return this.#showPacket(stream, form, plain.get(form)!)
    })
  }

  #toAll({ watch, due, joining }: Turn, show: (stream: Stream, form: Form) => number) {
    for (const { form, streams, meter } of due) {
      let bytes = 0
      for (const stream of streams) bytes += this.#flushed(stream, form, show(stream, form))
      meter.spend(bytes, this.#time, this.#rate)
    }
    for (const stream of joining) {
      for (const form of formsFor(watch.kind, stream)) this.#flushed(stream, form, show(stream, form))
    }
  }

  #flushed(stream: Stream, form: Form, bytes: number): number {
    if (bytes > 0) this.#flusher.add(stream, form.isUrgent)
    return bytes
  }

  #showPlain(stream: Stream, form: Form, payload: unknown): number {
    return this.#showPacket(stream, form, this.#packetOf(form, payload))
  }

  #showPacket(stream: Stream, form: Form, packet: Packet): number {
    const known = stream.known.get(form.event)
    if (known !== undefined) {
      stream.known.delete(form.event)
      if (known === packet.hash) {
        stream.skip(form.place, packet.mark)
        return 0
      }
    }
    return stream.show(form.place, packet)
  }

  #showDelta(stream: Stream, form: Form, watch: Watch, made: Map<StateHash | undefined, Packet>): number {
    const { key, state } = watch
    const from = stream.last(form.place) ?? stream.known.get(form.event)
    const { hash } = state!
    if (from === hash) {
      stream.skip(form.place, hash)
      return 0
    }
    let packet = made.get(from)
    if (!packet) {
      const keys = state!.keysSince(from)
      const make = () => frameOf(form, form.deltaOf!(state!, keys, key, hash))
      packet = keys ? make() : fullFrame(watch, form, make)
      made.set(from, packet)
    }
    return stream.show(form.place, packet, hash)
  }

  #packetOf(form: Form, payload: unknown): Packet {
    let packet = this.#byPayload.get(payload)
    if (packet) return packet
    packet = frameOf(form, payload)
    const same = this.#byText.get(packet.text)
    if (same) packet = same
    else this.#byText.set(packet.text, packet)
    this.#byPayload.set(payload, packet)
    return packet
  }
}

/** Returns the full frame of the state: the one made for an earlier stream while the state has not changed. */
function fullFrame({ kind, state, fullFrames }: Watch, form: Form, make: () => Packet): Packet {
  if (kind.per !== 'everybody') return make()
  const { hash } = state!
  const known = fullFrames.get(form)
  if (known?.hash === hash) return known.packet
  const packet = make()
  fullFrames.set(form, { hash, packet })
  return packet
}

function frameOf(form: Form, payload: unknown): Packet {
  const packet = frame(form.event, payload)
  return form.isMixed ? packet.undeflated() : packet
}
