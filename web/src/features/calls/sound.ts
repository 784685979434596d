/** Playback of the other participants' sound. */
import { signal } from '@preact/signals'
import { canChooseSpeaker, chosenDevice } from '../../common/media-devices.ts'

/** Browsers block sound before a user gesture: then a button in the call enables it. */
export const isSoundHeld = signal(false)

const playing = new Set<HTMLAudioElement>()

/** Not part of the document, so that playback continues whatever is rendered. */
export function playThrough() {
  const audio = new Audio()
  audio.autoplay = true
  return {
    play(stream: MediaStream) {
      audio.srcObject = stream
      playing.add(audio)
      void toSpeaker(audio)
      void start(audio)
    },
    stop() {
      audio.srcObject = null
      playing.delete(audio)
      if (playing.size === 0) isSoundHeld.value = false
    },
  }
}

export async function releaseSound() {
  isSoundHeld.value = false
  await Promise.all([...playing].map(start))
}

export async function useSpeaker() {
  await Promise.all([...playing].map(toSpeaker))
}

async function start(audio: HTMLAudioElement) {
  try {
    await audio.play()
  } catch (error) {
    // Other errors: removed before playback began.
    if (error instanceof DOMException && error.name === 'NotAllowedError') isSoundHeld.value = true
  }
}

async function toSpeaker(audio: HTMLAudioElement) {
  const speaker = chosenDevice('speaker')
  if (!speaker || !canChooseSpeaker()) return
  // If the chosen speaker is gone, playback stays on the default.
  await audio.setSinkId(speaker).catch(() => {})
}
