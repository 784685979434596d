/** The viewer's own media: microphone, camera, screen. */
import { signal } from '@preact/signals'
import { openCamera, openMicrophone, openScreen } from '../../common/media-devices.ts'

export class LocalMedia {
  readonly microphone = signal<MediaStreamTrack | undefined>(undefined)
  readonly camera = signal<MediaStreamTrack | undefined>(undefined)
  readonly screen = signal<MediaStreamTrack | undefined>(undefined)
  readonly muted = signal(false)
  /** Called after each change, including an unplugged camera or a share stopped in the browser's own bar. */
  onChange: () => void = () => {}
  #closed = false

  async openMicrophone() {
    const track = await openMicrophone()
    this.microphone.peek()?.stop()
    track.enabled = !this.muted.peek()
    this.#put(this.microphone, track)
  }

  async openCamera() {
    const track = await openCamera()
    this.camera.peek()?.stop()
    this.#put(this.camera, track)
  }

  /** False if the user closed the browser's picker. */
  async openScreen(): Promise<boolean> {
    const track = await openScreen()
    if (!track) return false
    this.screen.peek()?.stop()
    this.#put(this.screen, track)
    return true
  }

  toggleMuted() {
    this.muted.value = !this.muted.peek()
    const track = this.microphone.peek()
    if (track) track.enabled = !this.muted.peek()
    this.onChange()
  }

  closeCamera() {
    this.#take(this.camera)
  }

  closeScreen() {
    this.#take(this.screen)
  }

  close() {
    this.#closed = true
    this.onChange = () => {}
    for (const line of [this.microphone, this.camera, this.screen]) this.#take(line)
  }

  #put(line: typeof this.camera, track: MediaStreamTrack) {
    // The user may have hung up while the browser asked.
    if (this.#closed) return track.stop()
    track.addEventListener('ended', () => line.peek() === track && this.#take(line))
    line.value = track
    this.onChange()
  }

  #take(line: typeof this.camera) {
    line.peek()?.stop()
    if (line.peek() === undefined) return
    line.value = undefined
    this.onChange()
  }
}
