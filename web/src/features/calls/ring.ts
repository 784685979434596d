/** The ring, synthesized from two soft tones: no file to load. */
import type { Milliseconds } from '#shared/domain/units.ts'

const EVERY: Milliseconds = 2_600
/** Notes with their start within a ring, in seconds. */
const NOTES: [hertz: number, at: number][] = [
  [587, 0],
  [784, 0.16],
  [587, 0.5],
  [784, 0.66],
]
/** Gain at full volume. */
const LOUDNESS = 0.24

/**
 * Rings until the returned function is called. Without a user gesture browsers mute it: then the ring is only visible.
 */
export function startRinging(volume: number): () => void {
  const context = new AudioContext()
  const ring = () => {
    if (context.state === 'running')
      for (const [hertz, at] of NOTES) note(context, hertz, context.currentTime + at, volume * LOUDNESS)
  }
  void context.resume().then(ring, () => {})
  const timer = setInterval(ring, EVERY)
  return () => {
    clearInterval(timer)
    void context.close()
  }
}

function note(context: AudioContext, hertz: number, at: number, loud: number) {
  const tone = context.createOscillator()
  const loudness = context.createGain()
  tone.frequency.value = hertz
  tone.type = 'sine'
  loudness.gain.setValueAtTime(0, at)
  loudness.gain.linearRampToValueAtTime(loud, at + 0.02)
  loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.42)
  tone.connect(loudness).connect(context.destination)
  tone.start(at)
  tone.stop(at + 0.45)
}
