import { useEffect, useRef, useState } from 'preact/hooks'
import type { Username } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Video } from './Video.tsx'
import './ShareTile.css'

interface Props {
  name: Username
  stream: MediaStream | undefined
}

/** A shared screen: scaled to fit, in actual pixels, or full screen. */
export function ShareTile({ name, stream }: Props) {
  const tile = useRef<HTMLDivElement>(null)
  const [actual, setActual] = useState(false)
  const [full, setFull] = useState(false)
  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement === tile.current)
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [])
  const toggleFull = () => {
    if (full) void document.exitFullscreen()
    else tile.current?.requestFullscreen().catch(() => {})
  }
  const sizeLabel = actual ? strings.calls.fit : strings.calls.actualSize
  return (
    <div class={`call-tile share-tile${actual ? ' is-actual-size' : ''}`} ref={tile} data-screen-of={name}>
      {/* A scrolling region must be focusable, so that the arrow keys scroll it. */}
      <div
        class="share-tile-view"
        {...(actual ? { tabIndex: 0, role: 'region', 'aria-label': strings.calls.screenOf(name) } : {})}
      >
        {stream ? (
          <Video stream={stream} label={strings.calls.screenOf(name)} />
        ) : (
          <span class="call-tile-detail">{strings.shares.waiting}</span>
        )}
      </div>
      <span class="call-tile-label">
        <Icon name="screen" size={14} />
        {strings.calls.sharing(name)}
      </span>
      <span class="share-tile-tools">
        <IconButton
          icon={actual ? 'minimize' : 'zoom'}
          label={sizeLabel}
          onClick={() => setActual(!actual)}
        />
        {document.fullscreenEnabled && (
          <IconButton
            icon="expand"
            label={strings.calls.fullScreen}
            aria-pressed={full}
            onClick={toggleFull}
          />
        )}
      </span>
    </div>
  )
}
