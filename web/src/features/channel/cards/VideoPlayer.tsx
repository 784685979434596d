import { useRef, useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'

interface Props {
  address: string
  name: string
  /** The number of lines of the picture, once it is known. */
  onLines: (lines: number) => void
  giveUp: () => void
}

/** A film: its first picture with its length, then the controls of the browser. */
export function VideoPlayer({ address, name, onLines, giveUp }: Props) {
  const video = useRef<HTMLVideoElement>(null)
  const [isStarted, setStarted] = useState(false)
  const [length, setLength] = useState<number>()
  const start = () => {
    setStarted(true)
    video.current?.play().catch(() => {})
    video.current?.focus()
  }
  return (
    <div class="file-film">
      {/* biome-ignore lint/a11y/useMediaCaption: an upload brings no captions */}
      <video
        ref={video}
        controls={isStarted}
        playsInline
        preload="metadata"
        src={address}
        aria-label={name}
        tabIndex={isStarted ? 0 : -1}
        onError={giveUp}
        onPlay={() => setStarted(true)}
        onLoadedMetadata={({ currentTarget: { videoHeight, duration } }) => {
          onLines(videoHeight)
          if (Number.isFinite(duration)) setLength(duration)
        }}
      />
      {!isStarted && (
        <button
          type="button"
          class="file-film-start"
          aria-label={strings.files.play(name)}
          title={strings.files.play(name)}
          onClick={start}
        >
          <Icon name="play" size={24} />
        </button>
      )}
      {!isStarted && length !== undefined && <span class="file-film-length">{minutes(length)}</span>}
    </div>
  )
}

/** Shows the film of the card on the whole screen. */
export function WholeScreen({ name }: { name: string }) {
  return (
    <IconButton
      icon="expand"
      label={strings.files.wholeScreen(name)}
      onClick={({ currentTarget }) => {
        const video = currentTarget.closest('.file-card')?.querySelector('video')
        // An iPhone has another call, and its own button in the controls.
        void video?.requestFullscreen?.().catch(() => {})
      }}
    />
  )
}

/** 1:04, 1:02:03. */
export function minutes(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3_600)
  const rest = `${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0/, '')
}
