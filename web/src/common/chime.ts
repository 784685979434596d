/** Two short notes, synthesized: nothing to load, nothing to license. */
const NOTES = [
  { at: 0, hertz: 659.26 },
  { at: 0.11, hertz: 880 },
]
const LENGTH = 0.5

/** Delay in ms after the last note before the audio device is released. */
const HELD = 1_500

let context: AudioContext | undefined
let letGo: ReturnType<typeof setTimeout> | undefined

/** Some browsers allow later sound only if the context was started during a user gesture. */
export function unlock() {
  if (context) return
  context = new AudioContext()
  void context.resume().then(letGoSoon, () => {})
}

/** `volume` from 0 to 1. Returns false if the browser blocks sound, which it does before the first user gesture. */
export async function chime(volume: number, speaker = ''): Promise<boolean> {
  context ??= new AudioContext()
  clearTimeout(letGo)
  if (context.state === 'suspended') await Promise.race([context.resume(), wait(300)])
  if (context.state !== 'running') return false
  await playThrough(context, speaker)
  const start = context.currentTime + 0.02
  for (const note of NOTES) strike(context, start + note.at, note.hertz, volume)
  letGoSoon()
  return true
}

function letGoSoon() {
  clearTimeout(letGo)
  letGo = setTimeout(() => void context?.suspend(), HELD)
}

function strike(audio: AudioContext, at: number, hertz: number, volume: number) {
  const tone = new OscillatorNode(audio, { type: 'sine', frequency: hertz })
  const loudness = new GainNode(audio, { gain: 0 })
  // Loudness is perceived logarithmically: the square makes half of the slider sound half as loud.
  loudness.gain.setValueAtTime(0, at)
  loudness.gain.linearRampToValueAtTime(volume ** 2 * 0.5, at + 0.012)
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH)
  tone.connect(loudness).connect(audio.destination)
  tone.start(at)
  tone.stop(at + LENGTH)
}

/** Falls back to the default speaker if the browser lacks setSinkId or the device is gone. */
async function playThrough(
  audio: AudioContext & { setSinkId?: (id: string) => Promise<void> },
  speaker: string,
) {
  await audio.setSinkId?.(speaker).catch(() => {})
}

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
