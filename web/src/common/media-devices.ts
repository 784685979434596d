/** Microphone, camera and screen of this machine, and the reasons for failures. */
import { signal } from '@preact/signals'
import { tolerate } from '../store/device/tolerate.ts'
import { prefer, preferred } from '../store/preferences/preferences.ts'

export type Trouble = 'blocked' | 'missing' | 'busy' | 'insecure'
export type Device = 'microphone' | 'camera' | 'screen'

export type Kind = 'microphone' | 'camera' | 'speaker'

export const devices = signal<MediaDeviceInfo[]>([])

export class NoMedia extends Error {
  readonly device: Device
  readonly trouble: Trouble
  constructor(device: Device, trouble: Trouble) {
    super(`${device}: ${trouble}`)
    this.device = device
    this.trouble = trouble
  }
}

export async function openMicrophone(): Promise<MediaStreamTrack> {
  const audio = {
    ...preferring(chosenDevice('microphone')),
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
  }
  return first(await capture('microphone', media => media.getUserMedia({ audio })))
}

export async function openCamera(): Promise<MediaStreamTrack> {
  const video = {
    ...preferring(chosenDevice('camera')),
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 24, max: 30 },
  }
  return first(await capture('camera', media => media.getUserMedia({ video })))
}

/** Undefined if the user cancels. */
export async function openScreen(): Promise<MediaStreamTrack | undefined> {
  try {
    const track = first(
      await capture('screen', media =>
        media.getDisplayMedia({ video: { frameRate: { ideal: 15, max: 30 } } }),
      ),
    )
    track.contentHint = 'detail'
    return track
  } catch (error) {
    // Browsers report the same error for a cancelled picker and a forbidden screen.
    if (error instanceof NoMedia && error.trouble === 'blocked') return undefined
    throw error
  }
}

export const canShareScreen = () => typeof navigator.mediaDevices?.getDisplayMedia === 'function'

async function capture(device: Device, open: (media: MediaDevices) => Promise<MediaStream>) {
  // Pages over plain http from another machine have no access to devices.
  if (!navigator.mediaDevices) throw new NoMedia(device, 'insecure')
  try {
    const stream = await open(navigator.mediaDevices)
    void listDevices()
    return stream
  } catch (error) {
    tolerate(error, DOMException, TypeError)
    throw new NoMedia(device, troubleOf(error))
  }
}

function troubleOf(error: Error): Trouble {
  if (error.name === 'NotAllowedError' || error.name === 'SecurityError') return 'blocked'
  if (error.name === 'NotReadableError' || error.name === 'AbortError') return 'busy'
  return 'missing'
}

function first(stream: MediaStream): MediaStreamTrack {
  return stream.getTracks()[0]!
}

const preferring = (deviceId: string | undefined) => (deviceId ? { deviceId: { ideal: deviceId } } : {})

/** Device names are available only once a device is in use. */
export async function listDevices() {
  devices.value = (await navigator.mediaDevices?.enumerateDevices()) ?? []
}

export const canChooseSpeaker = () => 'setSinkId' in HTMLMediaElement.prototype

/** Preferred device; the browser takes another when it is gone. */
export const chosenDevice = (kind: Kind) => preferred[kind].value || undefined
export const chooseDevice = (kind: Kind, id: string) => prefer({ [kind]: id })
