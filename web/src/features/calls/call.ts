/**
 * A call of this tab: its participants according to the server, and a connection to each of them. Media flows between
 * the browsers; the server is polled for the state, and while it is away the call continues unchanged.
 */
import { batch, computed, signal } from '@preact/signals'
import { isLiving, RING_TIME } from '#shared/domain/calls.ts'
import type {
  CallParticipantPayload,
  CallStatePayload,
  SignalPayload,
} from '#shared/domain/payloads/calls.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { callState, claimScreen, partFrom } from '../../net/requests/call-endpoints.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { viewer } from '../../store/store.ts'
import { cameraBitrate, stageOrder } from './grid.ts'
import { Levels } from './levels.ts'
import { LocalMedia } from './local-media.ts'
import { type Bye, Peer } from './peer.ts'
import { backOff, isFinal, type Signalling } from './signalling.ts'
import { after } from './timing.ts'

/** Interval of the state requests, which are also the heartbeat (interface 4.8). */
const BEAT: Milliseconds = 1_000
const CALM_BEAT: Milliseconds = 1_500
const TICK: Milliseconds = 250
/** Delay after a network change, until the new network is up. */
const NETWORK_SETTLES: Milliseconds = 700
/** The server drops participants after ninety seconds of silence: telling it later is useless. */
const TELL_FOR: Milliseconds = 90_000

/** A person is shown as ringing for this long: with a reserve for clocks that differ. */
const RINGS_FOR: Seconds = RING_TIME + 5

/** `gone`: the server has dropped this person after a long silence, or they have left the channel. */
export type Ending = 'ended' | 'declined' | 'no answer' | 'gone' | 'elsewhere' | 'left'

interface SignalExtras {
  session?: string
  for?: string
}

export class Call {
  readonly channel: ChannelId
  readonly local = new LocalMedia()
  readonly id = signal<string | undefined>(undefined)
  readonly phase = signal<'asking' | 'ringing' | 'active'>('asking')
  readonly people = signal<CallParticipantPayload[]>([])
  readonly peers = signal<ReadonlyMap<Username, Peer>>(new Map())
  readonly answeredTs = signal<Seconds | undefined>(undefined)
  readonly levels: Levels
  /** Identifies this tab among the tabs and devices of the person. */
  readonly session = crypto.getRandomValues(new Uint32Array(2)).join('-')
  /** The sharer, from the server or from the sharer's own message, whichever is newer. */
  readonly sharer = computed(() => this.#sharer())
  readonly #claimed = signal<Username | ''>('')
  readonly #onOver: (ending: Ending) => void
  readonly #stopped = new AbortController()
  readonly #retired = new Map<Username, Set<string>>()
  /** People who said goodbye: the server may still list them for a moment. */
  readonly #parted = new Map<Username, Seconds | null>()
  #signalling: Signalling | undefined
  #claimedAt = 0

  constructor(channel: ChannelId, onOver: (ending: Ending) => void) {
    this.channel = channel
    this.#onOver = onOver
    this.levels = new Levels(this.local, this.peers)
    this.local.onChange = () => this.#tellEverybody()
  }

  /** Everybody in the call, in the order of the stage. */
  readonly shown = computed(() => {
    const isRinging = (one: CallParticipantPayload) =>
      this.phase.value !== 'active' || Date.now() / 1000 - one.invited_ts < RINGS_FOR
    return stageOrder(this.people.value, viewer, isRinging)
  })

  /** Number of participants. */
  readonly size = computed(() => this.people.value.filter(({ state }) => state === 'accepted').length)

  /** People who will be invited, before the server confirms. */
  expect(names: readonly Username[]) {
    const now = Date.now() / 1000
    this.people.value = [viewer, ...names.filter(name => name !== viewer)].map(username => ({
      username,
      role: username === viewer ? 'initiator' : 'participant',
      state: username === viewer ? 'accepted' : 'pending',
      joined_ts: null,
      left_ts: null,
      invited_ts: now,
    }))
  }

  /** Enters a call that the server has accepted. `there`: earlier participants, who get an offer. */
  async join(id: string, there: Username[], signalling: Signalling) {
    if (this.#stopped.signal.aborted) return this.#partFrom(id, 'leave')
    this.id.value = id
    this.#signalling = signalling
    if (there.length > 0) this.phase.value = 'active'
    else this.phase.value = 'ringing'
    for (const name of there) if (name !== viewer) this.#connect(name, true)
    this.#listenToPage()
    void signalling.listen({ take: row => this.#take(row), isEager: () => this.#isEager() })
    void this.#beat()
    this.#ticks()
  }

  /** `leave` continues the call without this person; `end` ends the call for everybody (interface 3.1). */
  hangUp(verb: 'leave' | 'end') {
    const id = this.id.peek()
    this.#over(
      verb === 'end' && this.answeredTs.peek() !== undefined ? 'ended' : 'left',
      verb === 'end' ? 'ended' : 'left',
    )
    if (id) void this.#partFrom(id, verb)
  }

  /** This tab leaves the call, the person stays in from another. */
  giveWay() {
    this.#over('elsewhere')
  }

  async share() {
    if (await this.local.openScreen()) await this.#claim(true)
  }

  async stopSharing() {
    this.local.closeScreen()
    await this.#claim(false)
  }

  /** Restarts ICE on all connections at once. */
  reconnect() {
    for (const peer of this.peers.peek().values()) peer.link.restart()
  }

  #connect(name: Username, offers: boolean): Peer {
    const peer = new Peer(name, {
      local: this.local,
      offers,
      send: (type, payload) => this.#send(name, type, payload),
      onBye: bye => this.#onBye(peer, bye),
    })
    this.peers.value = new Map(this.peers.peek()).set(name, peer)
    void peer.update(cameraBitrate(this.peers.peek().size + 1))
    this.#signalling?.hurry()
    return peer
  }

  #disconnect(name: Username, bye?: Bye) {
    const peer = this.peers.peek().get(name)
    if (!peer) return
    if (peer.session) this.#retire(name, peer.session)
    const rest = new Map(this.peers.peek())
    rest.delete(name)
    this.peers.value = rest
    peer.close(bye)
  }

  #retire(name: Username, session: string) {
    this.#retired.set(name, (this.#retired.get(name) ?? new Set()).add(session))
  }

  #onBye(peer: Peer, bye: Bye) {
    if (this.peers.peek().get(peer.name) !== peer) return
    if (bye === 'elsewhere') return this.giveWay()
    this.#parted.set(peer.name, this.#joinedTs(peer.name))
    batch(() => {
      this.#disconnect(peer.name)
      this.people.value = this.people
        .peek()
        .map(one => (one.username === peer.name ? { ...one, state: 'left' as const } : one))
    })
    // Said by a participant, so it is true; the server will confirm it.
    if (bye === 'ended') this.#over('ended')
  }

  #joinedTs(name: Username) {
    return this.people.peek().find(({ username }) => username === name)?.joined_ts ?? null
  }

  #send(to: Username, type: SignalPayload['type'], payload: object) {
    const theirs = this.peers.peek().get(to)?.session
    const extras: SignalExtras = { session: this.session, ...(theirs === undefined ? {} : { for: theirs }) }
    this.#signalling?.send(to, type, { ...payload, ...extras })
  }

  #take(row: SignalPayload) {
    const { session, for: wanted } = row.payload as SignalExtras
    if (wanted !== undefined && wanted !== this.session) return
    if (session !== undefined && this.#retired.get(row.from)?.has(session)) return
    let peer = this.peers.peek().get(row.from)
    if (row.type === 'offer' && peer?.session && session && peer.session !== session) {
      // A new session of the same person, after a crash or from another device.
      this.#disconnect(row.from, 'elsewhere')
      peer = undefined
    }
    if (!peer && row.type !== 'offer') return
    peer ??= this.#connect(row.from, false)
    if (session !== undefined) peer.session = session
    void this.#handTo(peer, row)
  }

  async #handTo(peer: Peer, row: SignalPayload) {
    if ((await peer.link.take(row)) !== 'start over') return
    if (this.peers.peek().get(peer.name) !== peer) return
    peer.close()
    const fresh = this.#connect(peer.name, false)
    fresh.session = peer.session
    await fresh.link.take(row)
  }

  #isEager() {
    return (
      this.phase.peek() === 'ringing' || [...this.peers.peek().values()].some(peer => !peer.link.isSettled)
    )
  }

  async #beat() {
    for (let failures = 0; !this.#stopped.signal.aborted; ) {
      const asked = performance.now()
      try {
        const state = await callState(this.id.peek()!)
        if (this.#stopped.signal.aborted) return
        failures = 0
        this.#apply(state, asked)
      } catch (error) {
        tolerateFailure(error)
        // An ended session is no expulsion: the page reports it, and the call goes on until the server drops this
        // person.
        if (isFinal(error) && error.status !== 401) return this.#over('gone')
        failures++
      }
      await after(failures > 0 ? backOff(failures) : this.#isEager() ? BEAT : CALM_BEAT, this.#stopped.signal)
    }
  }

  #apply(state: CallStatePayload, asked: number) {
    if (!isLiving(state.state)) return this.#over(endingOf(state))
    const own = state.participants.find(({ username }) => username === viewer)
    if (own?.state !== 'accepted') return this.#over('gone')
    const joined = own.joined_ts ?? 0
    batch(() => {
      this.answeredTs.value = state.answered_ts ?? undefined
      this.phase.value = state.state === 'active' ? 'active' : 'ringing'
      this.people.value = state.participants.map(one => this.#asSeen(one))
      if (asked > this.#claimedAt) this.#claimed.value = state.screenshare_user
      const there = this.people.peek().filter(one => one.state === 'accepted' && one.username !== viewer)
      for (const { username, joined_ts } of there) {
        if (!this.peers.peek().has(username)) this.#connect(username, (joined_ts ?? 0) < joined)
      }
      for (const name of this.peers.peek().keys()) {
        // A person whose offer came before their acceptance is still pending in this state.
        const known = this.people.peek().find(one => one.username === name)
        if (known?.state !== 'accepted' && known?.state !== 'pending') this.#disconnect(name)
      }
    })
    // Somebody else shares now: the former sharer's client stops (interface 4.8).
    const isTaken = this.#claimed.peek() !== viewer && this.#claimed.peek() !== ''
    if (asked > this.#claimedAt && isTaken && this.local.screen.peek()) this.local.closeScreen()
  }

  #asSeen(one: CallParticipantPayload): CallParticipantPayload {
    if (one.state !== 'accepted' || this.#parted.get(one.username) !== one.joined_ts) return one
    return { ...one, state: 'left' }
  }

  #sharer(): Username | undefined {
    if (this.local.screen.value) return viewer
    const named = this.peers.value.get(this.#claimed.value)
    if (named && named.about.value?.sharing !== false) return named.name
    return [...this.peers.value.values()].find(peer => peer.about.value?.sharing)?.name
  }

  async #claim(on: boolean) {
    this.#claimedAt = Infinity
    for (let failures = 0; !this.#stopped.signal.aborted; ) {
      try {
        await claimScreen(this.id.peek()!, on)
        break
      } catch (error) {
        tolerateFailure(error)
        if (isFinal(error)) break
        await after(backOff(++failures), this.#stopped.signal)
      }
      // The user changed their mind while the server was away.
      if (on !== (this.local.screen.peek() !== undefined)) return
    }
    this.#claimedAt = performance.now()
    this.#claimed.value = on ? viewer : ''
  }

  #tellEverybody() {
    if (!this.local.screen.peek() && this.#claimed.peek() === viewer) void this.#claim(false)
    const rate = cameraBitrate(this.peers.peek().size + 1)
    for (const peer of this.peers.peek().values()) void peer.update(rate)
  }

  #ticks() {
    const timer = setInterval(() => {
      for (const peer of this.peers.peek().values()) peer.tick()
      this.levels.measure()
    }, TICK)
    this.#stopped.signal.addEventListener('abort', () => clearInterval(timer))
  }

  #listenToPage() {
    const { signal } = this.#stopped
    // A closed laptop or tab leaves. After a crash the heartbeat stops.
    addEventListener('pagehide', () => void partFrom(this.id.peek()!, 'leave', true).catch(tolerateFailure), {
      signal,
    })
    const onNetwork = () => setTimeout(() => !signal.aborted && this.reconnect(), NETWORK_SETTLES)
    addEventListener('online', onNetwork, { signal })
    const { connection } = navigator as Navigator & { connection?: EventTarget }
    connection?.addEventListener('change', onNetwork, { signal })
  }

  #over(ending: Ending, bye?: Bye) {
    if (this.#stopped.signal.aborted) return
    this.#stopped.abort()
    this.#signalling?.stop()
    for (const peer of this.peers.peek().values()) peer.close(bye)
    this.local.close()
    this.levels.close()
    this.#onOver(ending)
  }

  /** Retries until the server has received it. */
  async #partFrom(id: string, verb: 'leave' | 'end') {
    for (let failures = 0, begun = Date.now(); Date.now() - begun < TELL_FOR; ) {
      try {
        await partFrom(id, verb)
        return
      } catch (error) {
        tolerateFailure(error)
        if (isFinal(error)) return
        await after(backOff(++failures))
      }
    }
  }
}

function endingOf({ state, answered_ts, started_ts, ended_ts }: CallStatePayload): Ending {
  if (state === 'ended') return answered_ts === null ? 'left' : 'ended'
  return (ended_ts ?? Infinity) - started_ts < 30 ? 'declined' : 'no answer'
}
