import { useRef, useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { LEVELS, levelsIn } from './levels.ts'
import { minutes } from './VideoPlayer.tsx'

interface Props {
  address: string
  name: string
  /** In bytes, if known. */
  size: number | undefined
  giveUp: () => void
}

const SPEEDS = [1, 1.5, 2]
const FLAT: readonly number[] = new Array(LEVELS).fill(0)

/** A sound: play, levels that are its position, time and speed. */
export function AudioPlayer({ address, name, size, giveUp }: Props) {
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [length, setLength] = useState(0)
  const [speed, setSpeed] = useState(1)
  const [levels, setLevels] = useState(FLAT)
  const say = strings.files
  const toggle = () => {
    const element = audio.current!
    if (!element.paused) return element.pause()
    element.play().catch(() => {})
    if (levels === FLAT) void levelsIn(address, size).then(found => found && setLevels(found))
  }
  const nextSpeed = () => {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]!
    setSpeed(next)
    audio.current!.playbackRate = next
  }
  const share = length > 0 ? at / length : 0
  return (
    <div class="file-sound">
      {/* biome-ignore lint/a11y/useMediaCaption: an upload brings no captions */}
      <audio
        ref={audio}
        preload="metadata"
        src={address}
        onError={giveUp}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={event => setAt(event.currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) =>
          setLength(Number.isFinite(duration) ? duration : 0)
        }
      />
      <button
        type="button"
        class="file-sound-play"
        aria-label={isPlaying ? say.pause(name) : say.play(name)}
        title={isPlaying ? say.pause(name) : say.play(name)}
        onClick={toggle}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <span class="file-sound-levels">
        {levels.map((level, index) => (
          <i
            key={index}
            class={index < share * LEVELS ? 'is-past' : undefined}
            style={{ '--level': level }}
            aria-hidden="true"
          />
        ))}
        <input
          type="range"
          min={0}
          max={Math.max(length, 0.1)}
          step={0.1}
          value={at}
          aria-label={say.position(name)}
          aria-valuetext={`${minutes(at)} / ${minutes(length)}`}
          onInput={event => {
            audio.current!.currentTime = Number(event.currentTarget.value)
          }}
        />
      </span>
      <span class="file-sound-time tabular-numbers">{`${minutes(at)} / ${minutes(length)}`}</span>
      <button
        type="button"
        class="file-sound-speed tabular-numbers"
        aria-label={say.speed(speed)}
        title={say.speed(speed)}
        onClick={nextSpeed}
      >
        {`${speed}×`}
      </button>
    </div>
  )
}
