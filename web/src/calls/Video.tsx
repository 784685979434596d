import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  stream: MediaStream
  /** As in a mirror: one's own face. */
  mirrored?: boolean
  label?: string
}

/** Without sound: that comes from elsewhere, and goes on when the picture is not shown. */
export function Video({ stream, mirrored, label }: Props) {
  const element = useRef<HTMLVideoElement>(null)
  useLayoutEffect(() => {
    const video = element.current!
    video.srcObject = stream
    // Attributes alone are not always enough for a picture that begins to move later.
    video.muted = true
    video.play().catch(() => {})
    return () => {
      video.srcObject = null
    }
  }, [stream])
  return (
    <video
      ref={element}
      class={mirrored ? 'mirrored' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : 'true'}
      autoplay
      playsInline
      muted
    />
  )
}
