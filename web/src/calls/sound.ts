/** What is heard of the others. */
import { signal } from '@preact/signals'
import { canChooseSpeaker, chosenDevice } from './media.ts'

/** The browser lets a page sound only after it was touched: then a button in the call makes up for it. */
export const isSoundHeld = signal(false)

const playing = new Set<HTMLAudioElement>()

/** Not in the page: it goes on whatever is drawn. */
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
    // Anything else: it was taken away before it began.
    if (error instanceof DOMException && error.name === 'NotAllowedError') isSoundHeld.value = true
  }
}

async function toSpeaker(audio: HTMLAudioElement) {
  const speaker = chosenDevice('speaker')
  if (!speaker || !canChooseSpeaker()) return
  // A speaker that is no longer there: the usual one goes on.
  await audio.setSinkId(speaker).catch(() => {})
}
