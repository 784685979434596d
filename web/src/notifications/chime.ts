/** Two short notes, made here: nothing to load, nothing that belongs to somebody else. */
const NOTES = [
  { at: 0, hertz: 659.26 },
  { at: 0.11, hertz: 880 },
]
const LENGTH = 0.5

/** So long after the last note the machine's sound is let go. */
const HELD = 1_500

let context: AudioContext | undefined
let letGo: ReturnType<typeof setTimeout> | undefined

/** Some browsers let a page sound later only if it began to while it was being touched. */
export function unlock() {
  if (context) return
  context = new AudioContext()
  void context.resume().then(letGoSoon, () => {})
}

/** `volume` from 0 to 1. Says whether the browser let it sound: it does only after the page was touched. */
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
  // Loudness is heard by its logarithm, so that half of the slider is half as loud.
  loudness.gain.setValueAtTime(0, at)
  loudness.gain.linearRampToValueAtTime(volume ** 2 * 0.5, at + 0.012)
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH)
  tone.connect(loudness).connect(audio.destination)
  tone.start(at)
  tone.stop(at + LENGTH)
}

/** Not every browser can, and the speaker may be gone: then the usual one. */
async function playThrough(
  audio: AudioContext & { setSinkId?: (id: string) => Promise<void> },
  speaker: string,
) {
  await audio.setSinkId?.(speaker).catch(() => {})
}

const wait = (ms: number) => new Promise(done => setTimeout(done, ms))
