/** Detects speakers: remote ones by the browser's statistics, the viewer by an analyser of the microphone. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { viewer } from '../../store/store.ts'
import type { LocalMedia } from './local-media.ts'
import type { Peer } from './peer.ts'

const LOUD = 0.02
/** Keeps the ring through the pauses between words. */
const LINGERS: Milliseconds = 700
/** Steps of the level meter: each change renders. */
const STEPS = 8

export class Levels {
  readonly speaking = signal(false)
  /** 0 to 1. */
  readonly own = signal(0)
  /** When each person last spoke, to choose the tiles when room is short. */
  readonly spoke = signal<ReadonlyMap<Username, number>>(new Map())
  readonly #local: LocalMedia
  readonly #peers: ReadonlySignal<ReadonlyMap<Username, Peer>>
  readonly #heard = new Map<Username, number>()
  #context: AudioContext | undefined
  #analyser: AnalyserNode | undefined
  #measured: MediaStreamTrack | undefined

  constructor(local: LocalMedia, peers: ReadonlySignal<ReadonlyMap<Username, Peer>>) {
    this.#local = local
    this.#peers = peers
  }

  measure() {
    const now = performance.now()
    const level = this.#local.muted.peek() ? 0 : this.#ownLevel()
    this.own.value = Math.round(Math.min(1, level * 6) * STEPS) / STEPS
    this.speaking.value = this.#isHeard(viewer, level, now)
    for (const peer of this.#peers.peek().values()) {
      peer.speaking.value = this.#isHeard(peer.name, peer.level(), now)
    }
  }

  close() {
    void this.#context?.close()
  }

  #isHeard(name: Username, level: number, now: number) {
    const before = this.#heard.get(name) ?? -Infinity
    if (level > LOUD) {
      this.#heard.set(name, now)
      if (now - before > LINGERS) this.spoke.value = new Map(this.#heard)
    }
    return now - (this.#heard.get(name) ?? -Infinity) < LINGERS
  }

  #ownLevel(): number {
    const track = this.#local.microphone.peek()
    if (!track) return 0
    if (track !== this.#measured) this.#attach(track)
    const samples = new Float32Array(256)
    this.#analyser!.getFloatTimeDomainData(samples)
    return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)
  }

  #attach(track: MediaStreamTrack) {
    this.#measured = track
    this.#context ??= new AudioContext()
    this.#analyser = this.#context.createAnalyser()
    this.#analyser.fftSize = 256
    this.#context.createMediaStreamSource(new MediaStream([track])).connect(this.#analyser)
  }
}
