/** Another participant of a call: received and sent media. */
import { signal } from '@preact/signals'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { tolerate } from '../../store/device/tolerate.ts'
import { viewer } from '../../store/store.ts'
import { Link, type LinkOptions } from './link.ts'
import type { LocalMedia } from './local-media.ts'
import { playThrough } from './sound.ts'

/** Exchanged between the browsers, so that it arrives at once, also while the server is away. */
export interface About {
  muted: boolean
  camera: boolean
  sharing: boolean
}
/** `elsewhere`: the same person has joined from another tab or device. */
export type Bye = 'left' | 'ended' | 'elsewhere'
type Note = { about: About } | { bye: Bye }

/** Newcomers offer; if their offer is lost, the earlier participants do. */
const OFFER_MYSELF_AFTER: Milliseconds = 4_000

interface PeerOptions extends Pick<LinkOptions, 'send'> {
  local: LocalMedia
  /** True if this side offers. */
  offers: boolean
  onBye: (bye: Bye) => void
}

export class Peer {
  readonly name: Username
  readonly link: Link
  readonly about = signal<About | undefined>(undefined)
  readonly camera = signal<MediaStream | undefined>(undefined)
  readonly screen = signal<MediaStream | undefined>(undefined)
  /** When they last spoke, by the local clock. */
  readonly speaking = signal(false)
  /** Session of the client at the other end, once known. */
  session: string | undefined
  readonly #sound = playThrough()
  readonly #notes: RTCDataChannel
  readonly #local: LocalMedia
  readonly #begun = performance.now()
  #offers: boolean

  constructor(name: Username, { local, offers, send, onBye }: PeerOptions) {
    this.name = name
    this.#local = local
    this.#offers = offers
    this.link = new Link({ polite: viewer < name, send, beforeAnswer: () => this.#putIn() })
    const { pc } = this.link
    pc.addEventListener('track', ({ transceiver, track }) => this.#receive(transceiver, track))
    this.#notes = pc.createDataChannel('notes', { negotiated: true, id: 0 })
    this.#notes.addEventListener('open', () => this.reportMedia())
    this.#notes.addEventListener('message', ({ data }) => {
      const note = noteIn(data)
      if (note && 'about' in note) this.about.value = note.about
      else if (note) onBye(note.bye)
    })
    if (offers) void this.#offer()
  }

  tick() {
    if (!this.#offers && !this.link.pc.remoteDescription) {
      if (performance.now() - this.#begun > OFFER_MYSELF_AFTER) {
        this.#offers = true
        void this.#offer()
      }
    }
    this.link.tick()
  }

  /** Reports the state of the viewer's own media. */
  reportMedia() {
    const { microphone, muted, camera, screen } = this.#local
    this.#note({
      about: {
        muted: muted.peek() || microphone.peek() === undefined,
        camera: camera.peek() !== undefined,
        sharing: screen.peek() !== undefined,
      },
    })
  }

  /** Replaces the sent tracks. No negotiation: the three lines exist from the start. */
  async update(cameraBitrate: number) {
    const [microphone, camera, screen] = this.#senders()
    await Promise.all([
      microphone?.replaceTrack(this.#local.microphone.peek() ?? null),
      camera?.replaceTrack(this.#local.camera.peek() ?? null),
      screen?.replaceTrack(this.#local.screen.peek() ?? null),
    ]).catch(ignoreClosed)
    if (camera) await limit(camera, cameraBitrate).catch(ignoreClosed)
    this.reportMedia()
  }

  /** 0 to 1, as measured by the browser during playback. */
  level(): number {
    const [microphone] = this.link.pc.getTransceivers()
    return microphone?.receiver.getSynchronizationSources?.()[0]?.audioLevel ?? 0
  }

  close(bye?: Bye) {
    if (bye) this.#note({ bye })
    this.#sound.stop()
    // Delays the close until the last message is sent.
    if (bye) setTimeout(() => this.link.close(), 250)
    else this.link.close()
  }

  #offer() {
    const { pc } = this.link
    const { microphone, camera, screen } = this.#local
    pc.addTransceiver(microphone.peek() ?? 'audio', { direction: 'sendrecv' })
    pc.addTransceiver(camera.peek() ?? 'video', { direction: 'sendrecv' })
    pc.addTransceiver(screen.peek() ?? 'video', { direction: 'sendrecv' })
    return this.link.offer()
  }

  /** Adds the own tracks to the offered lines; other clients may offer fewer. */
  async #putIn() {
    const tracks = [this.#local.microphone, this.#local.camera, this.#local.screen]
    const lines = this.link.pc.getTransceivers().slice(0, tracks.length)
    await Promise.all(
      lines.map((line, at) => {
        line.direction = 'sendrecv'
        return line.sender.replaceTrack(tracks[at]!.peek() ?? null)
      }),
    )
  }

  #senders(): (RTCRtpSender | undefined)[] {
    return this.link.pc.getTransceivers().map(({ sender }) => sender)
  }

  #receive(transceiver: RTCRtpTransceiver, track: MediaStreamTrack) {
    const at = this.link.pc.getTransceivers().indexOf(transceiver)
    const stream = new MediaStream([track])
    if (track.kind === 'audio') this.#sound.play(stream)
    else if (at === 2) this.screen.value = stream
    else this.camera.value = stream
  }

  #note(note: Note) {
    if (this.#notes.readyState === 'open') this.#notes.send(JSON.stringify(note))
  }
}

function noteIn(data: unknown): Note | undefined {
  try {
    const note = JSON.parse(String(data)) as Note
    return typeof note === 'object' && note !== null && ('about' in note || 'bye' in note) ? note : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function limit(sender: RTCRtpSender, maxBitrate: number) {
  const parameters = sender.getParameters()
  const [encoding] = parameters.encodings ?? []
  if (!encoding || encoding.maxBitrate === maxBitrate) return
  encoding.maxBitrate = maxBitrate
  await sender.setParameters(parameters)
}

function ignoreClosed(error: unknown) {
  tolerate(error, DOMException)
}
