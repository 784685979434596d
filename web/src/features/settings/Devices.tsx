import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { chime } from '../../common/chime.ts'
import {
  canChooseSpeaker,
  chooseDevice,
  chosenDevice,
  devices,
  type Kind,
  listDevices,
  NoMedia,
  openCamera,
  openMicrophone,
} from '../../common/media-devices.ts'
import { strings } from '../../i18n/i18n.ts'
import { prefer, preferred } from '../../store/preferences/preferences.ts'
import { ErrorLine } from '../../ui/ErrorLine.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Select } from '../../ui/Select.tsx'
import { DeviceFoot, SetRow, SwitchLine } from './rows.tsx'
import { closeSettings } from './unsaved.ts'
import './Devices.css'

/** No device is opened unasked: the camera's light means that it is recording. */
export function Devices() {
  const texts = strings.devices
  useEffect(() => {
    const list = () => void listDevices()
    list()
    navigator.mediaDevices?.addEventListener('devicechange', list)
    return () => navigator.mediaDevices?.removeEventListener('devicechange', list)
  }, [])
  return (
    <>
      <div class="settings-body">
        <SetRow title={texts.camera} more={texts.seen}>
          <CameraTest />
          <SwitchLine
            title={texts.startOff}
            more={texts.startOffMore}
            on={preferred.startWithCameraOff.value}
            set={startWithCameraOff => prefer({ startWithCameraOff })}
          />
        </SetRow>
        <SetRow title={texts.microphone}>
          <MicrophoneTest />
        </SetRow>
        <SetRow title={texts.speaker}>
          <div class="settings-stack">
            {canChooseSpeaker() ? <Chooser kind="speaker" /> : <p class="hint">{texts.fixedSpeaker}</p>}
            <button
              type="button"
              class="button"
              onClick={() => void chime(preferred.volume.peek(), preferred.speaker.peek())}
            >
              <Icon name="speaker" size={16} />
              {texts.testSpeaker}
            </button>
          </div>
        </SetRow>
      </div>
      <DeviceFoot close={closeSettings} />
    </>
  )
}

const KINDS = { camera: 'videoinput', microphone: 'audioinput', speaker: 'audiooutput' } as const

function Chooser({ kind, onChoose }: { kind: Kind; onChoose?: () => void }) {
  const texts = strings.devices
  // Some browsers list the system's default as a device.
  const there = devices.value.filter(
    device => device.kind === KINDS[kind] && !['', 'default', 'communications'].includes(device.deviceId),
  )
  return (
    <Select
      aria-label={texts[kind]}
      value={chosenDevice(kind) ?? ''}
      choose={device => {
        chooseDevice(kind, device)
        onChoose?.()
      }}
    >
      <option value="">{texts.usual}</option>
      {there.map((device, index) => (
        <option key={device.deviceId} value={device.deviceId}>
          {device.label || texts.unnamed(texts[kind], index + 1)}
        </option>
      ))}
    </Select>
  )
}

/** A track for the duration of the test, replaced when another device is chosen. */
function useTrack(open: () => Promise<MediaStreamTrack>) {
  const [track, setTrack] = useState<MediaStreamTrack>()
  const [trouble, setTrouble] = useState<string>()
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  useEffect(() => () => track?.stop(), [track])
  const start = async () => {
    setTrouble(undefined)
    try {
      const opened = await open()
      // The viewer may have left during the browser's prompt.
      if (isHere.current) setTrack(opened)
      else opened.stop()
    } catch (error) {
      if (!(error instanceof NoMedia)) throw error
      setTrouble(strings.calls.trouble[error.trouble][error.device])
    }
  }
  return { track, trouble, start, stop: () => setTrack(undefined) }
}

function CameraTest() {
  const texts = strings.devices
  const { track, trouble, start, stop } = useTrack(openCamera)
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.srcObject = track ? new MediaStream([track]) : null
  }, [track])
  return (
    <div class="settings-stack">
      {track && (
        <video ref={video} class="camera-preview" autoplay muted playsInline aria-label={texts.preview} />
      )}
      <Chooser kind="camera" onChoose={() => track && void start()} />
      <button type="button" class="button" onClick={() => (track ? stop() : void start())}>
        <Icon name={track ? 'video-off' : 'video'} size={16} />
        {track ? texts.stopCamera : texts.tryCamera}
      </button>
      {trouble && <ErrorLine>{trouble}</ErrorLine>}
    </div>
  )
}

function MicrophoneTest() {
  const texts = strings.devices
  const { track, trouble, start, stop } = useTrack(openMicrophone)
  return (
    <div class="settings-stack">
      <Chooser kind="microphone" onChoose={() => track && void start()} />
      {track && <Level track={track} />}
      <button type="button" class="button" onClick={() => (track ? stop() : void start())}>
        <Icon name={track ? 'mic-off' : 'mic'} size={16} />
        {track ? texts.stopMicrophone : texts.tryMicrophone}
      </button>
      {trouble && <ErrorLine>{trouble}</ErrorLine>}
    </div>
  )
}

/** Amplification at which ordinary speech fills about two thirds of the bar. */
const GAIN = 6
/** Share of the bar per second; it falls slower than the voice in order to be visible. */
const FALLS = 1.2

function Level({ track }: { track: MediaStreamTrack }) {
  const id = useId()
  const [level, setLevel] = useState(0)
  useEffect(() => {
    const context = new AudioContext()
    const analyser = new AnalyserNode(context, { fftSize: 2048 })
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    let shown = 0
    let before = performance.now()
    let frame = requestAnimationFrame(function measure(now) {
      analyser.getFloatTimeDomainData(samples)
      const loudness = Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)
      shown = Math.max(Math.min(1, loudness * GAIN), shown - ((now - before) / 1000) * FALLS, 0)
      before = now
      setLevel(Math.round(shown * 40) / 40)
      frame = requestAnimationFrame(measure)
    })
    return () => {
      cancelAnimationFrame(frame)
      void context.close()
    }
  }, [track])
  return (
    <>
      <div
        class="level-meter"
        role="meter"
        aria-label={strings.devices.level}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(level * 100)}
        aria-describedby={id}
      >
        <span style={{ '--part': String(level) }} />
      </div>
      <p id={id} class="hint">
        {strings.devices.saySomething}
      </p>
    </>
  )
}
