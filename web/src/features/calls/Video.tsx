import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  stream: MediaStream
  /** Mirrored horizontally, for the viewer's own camera. */
  mirrored?: boolean
  label?: string
  /** Called with the ratio of width and height when it is known or has changed. */
  onRatio?: ((ratio: number) => void) | undefined
}

/** Muted: the sound plays elsewhere, and continues while the picture is not shown. */
export function Video({ stream, mirrored, label, onRatio }: Props) {
  const element = useRef<HTMLVideoElement>(null)
  useLayoutEffect(() => {
    const video = element.current!
    video.srcObject = stream
    // The attributes alone do not always allow autoplay of a stream that starts later.
    video.muted = true
    video.play().catch(() => {})
    return () => {
      video.srcObject = null
    }
  }, [stream])
  return (
    <video
      ref={element}
      class={mirrored ? 'is-mirrored' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : 'true'}
      onResize={({ currentTarget: { videoWidth, videoHeight } }) => {
        if (videoHeight > 0) onRatio?.(videoWidth / videoHeight)
      }}
      autoplay
      playsInline
      muted
    />
  )
}
