/**
 * The server's lists as the frames of changes have told them (shared/rules/deltas.ts), and the hashes by which a gateway
 * knows what this tab holds. Pure: no page, no signals.
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
} from '#shared/rules/deltas.ts'
import type { ChannelUnreadsPayload, EventName, OnlineUsersPayload } from '#shared/rules/payloads.ts'
import type { ChannelId } from '#shared/rules/units.ts'

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

/** Events of the interface that are large enough for a hash to be worth its bytes. */
const HASHED: EventName[] = ['mentions']

export class Held {
  readonly #states: Partial<States> = {}
  readonly #hashes = new Map<DeltaName, string>()
  readonly #texts = new Map<EventName, string>()
  /** Of these, the state was seen to have the hash that its frame names, or came whole, on this stream. */
  readonly #fits = new Set<DeltaName>()
  /** A change did not fit these. Once a whole state does not either, the gateway computes hashes in another way. */
  readonly #doubted = new Set<DeltaName>()
  readonly #unchecked = new Set<DeltaName>()

  /** The state after the frame. Undefined when its base is not what is held: then nothing of that kind is held any more. */
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

  /** Whether the state has the hash of its frame. Asked of the first change on a stream, since later ones follow from it. */
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

  /** What came with the page. */
  begin<N extends DeltaName>(name: N, state: States[N]) {
    const kind: Kind<N> = KINDS[name]
    Object.assign(this.#states, { [name]: state })
    this.#hashes.set(name, kind.hash(state))
  }

  /** The text of the last frame of an event of the interface; undefined when what is shown came in another way. */
  told(event: EventName, text: string | undefined) {
    if (text === undefined) this.#texts.delete(event)
    else if (HASHED.includes(event)) this.#texts.set(event, text)
  }

  forget(name: DeltaName) {
    delete this.#states[name]
    this.#hashes.delete(name)
  }

  /** For a new stream, which follows this channel: the value of `known`. */
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
