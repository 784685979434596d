import { useState } from 'preact/hooks'
import { type ImageSize, imageSizeOf } from '#shared/domain/uploads.ts'
import { strings } from '../../../i18n/i18n.ts'
import { fileAddress } from '../../../net/requests/endpoints.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import type { ShownRow } from '../../../store/messages/items.ts'
import { displayed } from '../../../store/people/people.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { FileSpace } from './FileSpace.tsx'
import { openLightbox } from './open-lightbox.tsx'
import { boxOf, drawnWidth, isPicture, mayMove, sourcesOf, TILE } from './picture.ts'
import { reducedMotion } from './reduced-motion.ts'
import './ImageAttachment.css'

const SHOWN = 4
/** A failed thumbnail is retried once, as the file itself. */
const GIVE_UP = 1

interface Props {
  channel: Channel
  images: ShownRow[]
}

export function Gallery({ channel, images }: Props) {
  const files = images.filter(one => !isPicture(one.row))
  const pictures = images.filter(one => isPicture(one.row))
  const shown = pictures.length > SHOWN ? pictures.slice(0, SHOWN) : pictures
  return (
    <>
      <div class={pictures.length > 1 ? 'image-attachments is-many' : 'image-attachments'}>
        {shown.map((one, at) => (
          <Picture
            key={one.key}
            channel={channel}
            one={one}
            alone={pictures.length === 1}
            hidden={at === SHOWN - 1 ? pictures.length - SHOWN : 0}
          />
        ))}
      </div>
      {files.map(one => (
        <FileSpace key={one.key} one={one} />
      ))}
    </>
  )
}

interface PictureProps {
  channel: Channel
  one: ShownRow
  alone: boolean
  hidden: number
}

/** Sizes of images being sent, so that their boxes stay the same once stored. */
const ownSizes = new Map<string, ImageSize>()

/** Its box is reserved from the size in the name (ui.md 5.4); older names carry none and get a fixed box of 3:2. */
function Picture({ channel, one, alone, hidden }: PictureProps) {
  const { row, pending, key } = one
  const filename = row.filename!
  const own = channel.pictures.get(key)
  const [size, setSize] = useState(imageSizeOf(filename) ?? ownSizes.get(key))
  const [isPlaying, setPlaying] = useState(false)
  const [troubles, setTroubles] = useState(0)
  const known = imageSizeOf(filename) ?? size
  const box = boxOf(known)
  const moves = !pending && mayMove(filename)
  const isStill = moves && reducedMotion.value && !isPlaying
  const sender = displayed(row.sender)
  const label = hidden > 0 ? strings.list.imageAndMore(sender, hidden) : strings.list.imageFrom(sender)

  const measure = ({ currentTarget }: { currentTarget: HTMLImageElement }) => {
    const { naturalWidth: width, naturalHeight: height } = currentTarget
    if (!own || known || width === 0 || height === 0) return
    ownSizes.set(key, { width, height })
    setSize({ width, height })
  }

  return (
    <div
      class={`image-attachment${alone && box.isWhole ? ' is-whole' : ''}`}
      style={alone ? { width: `${box.width}px`, aspectRatio: `${box.width} / ${box.height}` } : {}}
      data-message-id={row.id > 0 ? row.id : undefined}
      data-pending={pending?.state}
    >
      {troubles > GIVE_UP ? (
        <button
          type="button"
          class="image-attachment-open image-attachment-lost"
          onClick={() => setTroubles(0)}
        >
          <Icon name="image" size={20} />
          <span>{strings.list.imageFailed(sender)}</span>
        </button>
      ) : (
        <button
          type="button"
          class="image-attachment-open"
          aria-label={label}
          aria-haspopup="dialog"
          onClick={() => !pending && openLightbox(channel, row.id)}
        >
          <img
            // The sender's own image is shown from the device, unless it must be a still.
            {...(own && !isStill
              ? { src: own }
              : troubles > 0
                ? { src: fileAddress(filename) }
                : sourcesOf(filename, isStill))}
            sizes={`${alone ? box.drawn : drawnWidth(TILE, known)}px`}
            alt=""
            loading="lazy"
            decoding="async"
            draggable={false}
            onLoad={measure}
            onError={() => setTroubles(troubles + 1)}
          />
          {hidden > 0 && <span class="image-attachment-more">{strings.list.more(hidden)}</span>}
        </button>
      )}
      {moves && reducedMotion.value && troubles <= GIVE_UP && hidden === 0 && (
        <button
          type="button"
          class="image-attachment-play"
          aria-label={isPlaying ? strings.list.pause : strings.list.play}
          title={isPlaying ? strings.list.pause : strings.list.play}
          onClick={() => setPlaying(!isPlaying)}
        >
          <Icon name={isPlaying ? 'pause' : 'play'} size={16} />
        </button>
      )}
    </div>
  )
}
