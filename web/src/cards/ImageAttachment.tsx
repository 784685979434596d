import { useState } from 'preact/hooks'
import { imageExtension, originalName } from '#shared/rules/uploads.ts'
import { shownName } from '../people/Avatar.tsx'
import { fileAddress } from '../server/endpoints.ts'
import type { Channel } from '../store/channels.ts'
import type { ShownRow } from '../store/items.ts'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'
import { openLightbox } from './Lightbox.tsx'
import './ImageAttachment.css'

const SHOWN = 4

interface Props {
  channel: Channel
  images: ShownRow[]
}

export function Gallery({ channel, images }: Props) {
  const files = images.filter(one => !isImage(one))
  const pictures = images.filter(isImage)
  const shown = pictures.length > SHOWN ? pictures.slice(0, SHOWN) : pictures
  return (
    <>
      <div class={pictures.length > 1 ? 'imgs many' : 'imgs'}>
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
        <a key={one.key} class="file" href={fileAddress(one.row.filename!)} download>
          <Icon name="download" size={16} />
          {originalName(one.row.filename!)}
        </a>
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

/** Sizes of pictures that were seen in this tab, so that they keep their box when they are drawn again. */
const ratios = new Map<string, number>()
const FIRST_GUESS = 3 / 2
const WIDEST = 360
const HIGHEST = 270

function Picture({ channel, one, alone, hidden }: PictureProps) {
  const { row, pending, key } = one
  const [ratio, setRatio] = useState(ratios.get(key) ?? FIRST_GUESS)
  const source = channel.pictures.get(key) ?? fileAddress(row.filename!, 720)
  const label = words.list.imageFrom(shownName(row.sender))
  const width = Math.min(WIDEST, HIGHEST * ratio)
  return (
    <button
      type="button"
      class="img"
      style={alone ? { width: `${width}px`, aspectRatio: String(ratio) } : {}}
      data-message-id={row.id > 0 ? row.id : undefined}
      data-pending={pending?.state}
      aria-label={label}
      onClick={() => !pending && openLightbox(channel, row.id)}
    >
      <img
        src={source}
        alt={label}
        loading="lazy"
        decoding="async"
        onLoad={event => {
          const { naturalWidth, naturalHeight } = event.currentTarget
          if (naturalWidth === 0 || naturalHeight === 0) return
          // A strip is shown whole in the viewer; here it keeps to a sane box.
          const real = Math.min(Math.max(naturalWidth / naturalHeight, 0.5), 3)
          ratios.set(key, real)
          setRatio(real)
        }}
      />
      {hidden > 0 && <span class="img-more">{words.list.more(hidden)}</span>}
    </button>
  )
}

function isImage(one: ShownRow) {
  return one.row.filename !== null && imageExtension(one.row.filename) !== undefined
}
