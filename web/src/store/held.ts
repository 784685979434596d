/**
 * The server's lists as reconstructed from delta frames (shared/domain/deltas.ts), and the hashes that tell a gateway
 * the state of this tab. Pure: no page, no signals.
 */
import {
  applyCounts,
  applyLists,
  applyPresence,
  applySeen,
  DELTA_NAMES,
  type DeltaName,
  type DeltaPayloads,
  hashOf,
  hashOfLists,
  hashOfMap,
  hashOfSeen,
  type ListsState,
  type SeenState,
  type StateHash,
} from '#shared/domain/deltas.ts'
import type { ChannelUnreadsPayload } from '#shared/domain/payloads/channels.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import type { OnlineUsersPayload } from '#shared/domain/payloads/people.ts'
import type { ChannelId } from '#shared/domain/units.ts'

interface States {
  presence: OnlineUsersPayload
  seen: SeenState
  counts: ChannelUnreadsPayload
  lists: ListsState
}

interface Kind<N extends DeltaName> {
  apply: (state: States[N] | undefined, delta: DeltaPayloads[N]) => States[N] | undefined
  hash: (state: States[N]) => StateHash
}

const KINDS: { [N in DeltaName]: Kind<N> } = {
  presence: { apply: applyPresence, hash: hashOfMap },
  seen: { apply: applySeen, hash: hashOfSeen },
  counts: { apply: applyCounts, hash: hashOfMap },
  lists: { apply: applyLists, hash: hashOfLists },
}

/** Events large enough for a hash to pay off, and taken whole. */
const HASHED: EventName[] = ['mentions', 'inbox', 'sidebar']

export class Held {
  readonly #states: Partial<States> = {}
  readonly #hashes = new Map<DeltaName, string>()
  readonly #texts = new Map<EventName, string>()
  /** Kinds verified on this stream: the state had the frame's hash, or came whole. */
  readonly #fits = new Set<DeltaName>()
  /** Kinds with a mismatch. If a whole state mismatches as well, the gateway computes hashes in another way. */
  readonly #doubted = new Set<DeltaName>()
  readonly #unchecked = new Set<DeltaName>()

  /** Returns the state after the frame, or undefined and drops the state when the delta belongs to another base. */
  take<N extends DeltaName>(name: N, delta: DeltaPayloads[N]): States[N] | undefined {
    const kind: Kind<N> = KINDS[name]
    const state = kind.apply(this.#states[name] as States[N] | undefined, delta)
    if (state && this.#isWhat(name, delta, () => kind.hash(state))) {
      Object.assign(this.#states, { [name]: state })
      this.#hashes.set(name, delta.hash)
      return state
    }
    this.forget(name)
    this.#doubted.add(name)
    return undefined
  }

  /**
   * True if the state has the hash of its frame. Checked for the first delta on a stream only: later ones follow from
   * it.
   */
  #isWhat<N extends DeltaName>(name: N, delta: DeltaPayloads[N], hash: () => StateHash): boolean {
    const isWhole = 'full' in delta || 'messages' in delta
    const isKnownToFit = this.#fits.has(name) || this.#unchecked.has(name)
    this.#fits.add(name)
    if (isWhole) {
      if (this.#doubted.delete(name) && hash() !== delta.hash) this.#unchecked.add(name)
      return true
    }
    return isKnownToFit || hash() === delta.hash
  }

  state<N extends DeltaName>(name: N): States[N] | undefined {
    return this.#states[name] as States[N] | undefined
  }

  /** Takes a state that came with the page. */
  begin<N extends DeltaName>(name: N, state: States[N]) {
    const kind: Kind<N> = KINDS[name]
    Object.assign(this.#states, { [name]: state })
    this.#hashes.set(name, kind.hash(state))
  }

  /** Records the text of the last frame of an event; undefined when the state came in another way, or was changed here. */
  noteEvent(event: EventName, text: string | undefined) {
    if (text === undefined) this.#texts.delete(event)
    else if (HASHED.includes(event)) this.#texts.set(event, text)
  }

  forget(name: DeltaName) {
    delete this.#states[name]
    this.#hashes.delete(name)
  }

  /** Returns the value of `known` for a new stream that follows this channel. */
  opened(channel: ChannelId | undefined): string {
    this.#fits.clear()
    if (this.#states.seen?.channel !== channel) this.forget('seen')
    const known = DELTA_NAMES.flatMap(name => {
      const hash = this.#hashes.get(name)
      return hash ? [`${name}:${hash}`] : []
    })
    return [...known, ...[...this.#texts].map(([event, text]) => `${event}:${hashOf(text)}`)].join()
  }
}

export const held = new Held()
