import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { imageExtension, imageSizeOf, originalName } from '#shared/domain/uploads.ts'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { showMessage } from '../../../net/channels/open-channel.ts'
import { fileAddress } from '../../../net/requests/endpoints.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { isRowItem, rowsOf } from '../../../store/messages/items.ts'
import { displayed } from '../../../store/people/people.ts'
import { imageAddress } from '../../../store/route.ts'
import { isPhone } from '../../../store/store.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { threadRows } from '../../threads/open-threads.ts'
import { canCopyPicture, copyPicture } from './copy-picture.ts'
import { FilmStrip } from './FilmStrip.tsx'
import { isPicture, mayMove } from './picture.ts'
import { reducedMotion } from './reduced-motion.ts'
import { useZoom } from './use-zoom.ts'
import { WHOLE } from './zoom.ts'
import './Lightbox.css'

const STEP = 1.5

/** The open image, by its message. */
export interface OpenImage {
  channel: Channel
  id: number
}

interface Props {
  open: OpenImage
  show: (next: OpenImage | undefined) => void
}

/** Full-screen image viewer; the arrow keys go through all loaded images of the channel. */
export function Lightbox({ open, show }: Props) {
  const images = imagesWith(open)
  const at = images.findIndex(row => row.id === open.id)
  const row = images[at]
  const close = () => show(undefined)
  // The image was deleted while open.
  useEffect(() => {
    if (!row) close()
  }, [row])
  if (!row) return null
  const go = (to: number) => {
    const next = images[to]
    if (next) show({ channel: open.channel, id: next.id })
  }
  const showInChannel = () => {
    close()
    void showMessage(open.channel, row.id)
  }
  return (
    <Dialog
      label={strings.viewer.label}
      onClose={close}
      view={{ key: 'image', address: imageAddress(open.channel.id, open.id) }}
    >
      <View row={row} at={at} images={images} go={go} close={close} showInChannel={showInChannel} />
    </Dialog>
  )
}

interface ViewProps {
  row: MessagePayload
  at: number
  images: MessagePayload[]
  go: (to: number) => void
  close: () => void
  showInChannel: () => void
}

function View({ row, at, images, go, close, showInChannel }: ViewProps) {
  const filename = row.filename!
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading')
  const [isPlaying, setPlaying] = useState(!reducedMotion.peek())
  const moves = mayMove(filename) && reducedMotion.value
  const zooming = useZoom({ onSwipe: towards => go(at + towards) })
  const { zoom, frame, image, zoomTo, step, handlers } = zooming
  const view = useRef<HTMLDivElement>(null)
  useEffect(() => view.current?.focus({ preventScroll: true }), [])
  // Reset instead of remount, so that the focus stays on the next and previous buttons.
  useLayoutEffect(() => {
    zoomTo(WHOLE)
    setState('loading')
    setPlaying(!reducedMotion.peek())
  }, [row.id])
  useEffect(() => {
    if (state === 'there') for (const near of [images[at + 1], images[at - 1]]) preload(near)
  }, [state, at])

  const isNear = zoom.scale > 1
  const onKeyDown = (event: KeyboardEvent) => {
    if (isCopy(event) && canCopyPicture()) void copyPicture(filename)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isRtl = getComputedStyle(view.current!).direction === 'rtl'
    const act = actOfKey(event.key, zooming, { at, last: images.length - 1, isRtl, go })
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <div
      ref={view}
      class="lightbox"
      role="group"
      tabIndex={-1}
      aria-label={`${strings.list.imageFrom(displayed(row.sender))}, ${strings.viewer.of(at + 1, images.length)}`}
      onKeyDown={onKeyDown}
    >
      <Head
        row={row}
        isPlaying={moves ? isPlaying : undefined}
        setPlaying={setPlaying}
        zoomOut={isNear ? () => zoomTo(WHOLE) : undefined}
        zoomIn={() => step(STEP)}
        showInChannel={showInChannel}
        close={close}
      />
      <div class="lightbox-stage">
        <IconButton
          icon="chev-left"
          flip
          label={strings.viewer.previous}
          aria-disabled={at === 0}
          onClick={() => go(at - 1)}
        />
        <div ref={frame} class={`lightbox-view${isNear ? ' is-near' : ''}`} {...handlers}>
          {state === 'failed' ? (
            <Lost name={displayed(row.sender)} tryAgain={() => setState('loading')} />
          ) : (
            <img
              key={`${row.id} ${isPlaying}`}
              ref={image}
              src={moves && !isPlaying ? fileAddress(filename, 720, true) : fileAddress(filename)}
              alt={strings.list.imageFrom(displayed(row.sender))}
              draggable={false}
              style={{
                ...boxStyle(filename),
                // The list's thumbnail, until the full image is loaded.
                backgroundImage: state === 'loading' ? `url("${fileAddress(filename, 720, moves)}")` : 'none',
                transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`,
              }}
              onLoad={() => setState('there')}
              onError={() => setState('failed')}
            />
          )}
        </div>
        <IconButton
          icon="chev-right"
          flip
          label={strings.viewer.next}
          aria-disabled={at === images.length - 1}
          onClick={() => go(at + 1)}
        />
      </div>
      {images.length > 1 && <FilmStrip images={images} at={at} go={go} />}
      <div class="lightbox-foot" aria-live="polite">
        {isNear
          ? strings.viewer.zoomed(Math.round(zoom.scale * 100))
          : strings.viewer.of(at + 1, images.length)}
      </div>
    </div>
  )
}

const isCopy = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent) =>
  key.toLowerCase() === 'c' && (ctrlKey || metaKey) && !altKey && !shiftKey && !repeat

function Lost({ name, tryAgain }: { name: string; tryAgain: () => void }) {
  return (
    // The view around it would capture the pointer.
    <div class="lightbox-lost" onPointerDown={event => event.stopPropagation()}>
      <Icon name="alert" size={24} />
      <p role="alert">{strings.viewer.failed(name)}</p>
      <button type="button" class="button" onClick={tryAgain}>
        {strings.tryAgain}
      </button>
    </div>
  )
}

interface Paging {
  at: number
  last: number
  isRtl: boolean
  go: (to: number) => void
}

/** The horizontal arrows move the image when it is zoomed in, and otherwise lead to its neighbours. */
function actOfKey(
  key: string,
  { zoom, zoomTo, step, move }: ReturnType<typeof useZoom>,
  { at, last, isRtl, go }: Paging,
): (() => void) | undefined {
  const isNear = zoom.scale > 1
  const [back, on] = isRtl ? [at + 1, at - 1] : [at - 1, at + 1]
  const acts: Record<string, () => void> = {
    ArrowLeft: () => (isNear ? move(1, 0) : go(back)),
    ArrowRight: () => (isNear ? move(-1, 0) : go(on)),
    ArrowUp: () => move(0, 1),
    ArrowDown: () => move(0, -1),
    Home: () => go(0),
    End: () => go(last),
    '+': () => step(STEP),
    '=': () => step(STEP),
    '-': () => step(1 / STEP),
    '0': () => zoomTo(WHOLE),
  }
  return Object.hasOwn(acts, key) ? acts[key] : undefined
}

interface HeadProps {
  row: MessagePayload
  /** Undefined for an image that does not move. */
  isPlaying: boolean | undefined
  setPlaying: (isPlaying: boolean) => void
  zoomIn: () => void
  /** Undefined while the whole image is shown. */
  zoomOut: (() => void) | undefined
  showInChannel: () => void
  close: () => void
}

function Head({ row, isPlaying, setPlaying, zoomIn, zoomOut, showInChannel, close }: HeadProps) {
  const name = nameOf(row)
  return (
    <div class="lightbox-head">
      <Avatar name={row.sender} size={24} />
      <PersonName name={row.sender} />
      <time>{strings.time(row.ts)}</time>
      <bdi class="lightbox-name" title={name}>
        {name}
      </bdi>
      <span class="grow" />
      {isPlaying !== undefined && (
        <IconButton
          icon={isPlaying ? 'pause' : 'play'}
          label={isPlaying ? strings.list.pause : strings.list.play}
          onClick={() => setPlaying(!isPlaying)}
        />
      )}
      {zoomOut && <IconButton icon="zoom-out" label={strings.viewer.wholeImage} onClick={zoomOut} />}
      <IconButton icon="zoom" label={strings.viewer.zoomIn} onClick={zoomIn} />
      {/* Phones copy by a long press. */}
      {!isPhone.value && canCopyPicture() && (
        <IconButton
          icon="copy"
          label={strings.viewer.copy}
          aria-keyshortcuts="Control+C Meta+C"
          onClick={() => void copyPicture(row.filename!)}
        />
      )}
      <IconButton icon="message" label={strings.viewer.showInChannel} onClick={showInChannel} />
      <a
        class="icon-button"
        href={fileAddress(row.filename!)}
        download={name}
        aria-label={strings.viewer.download}
        title={strings.viewer.download}
      >
        <Icon name="download" />
      </a>
      <IconButton icon="x" label={strings.close} onClick={close} />
    </div>
  )
}

/** The server keeps no names of images; author and time make one. */
function nameOf({ filename, sender, ts, extra }: MessagePayload) {
  if (extra?.file) return extra.file.name
  const name = originalName(filename!)
  if (name !== filename) return name
  const local = new Date(ts * 1000 - new Date(ts * 1000).getTimezoneOffset() * 60_000)
  return `${sender} ${local.toISOString().slice(0, 16).replace('T', ' ').replace(':', '.')}${imageExtension(name)}`
}

/** As large as fits, never above the image's own size; known before any byte arrives. */
function boxStyle(filename: string) {
  const size = imageSizeOf(filename)
  if (!size) return {}
  const ratio = size.width / size.height
  return { width: `min(${size.width}px, 100cqw, ${ratio} * 100cqh)`, aspectRatio: String(ratio) }
}

function preload(row: MessagePayload | undefined) {
  if (row?.filename && !(mayMove(row.filename) && reducedMotion.peek()))
    new Image().src = fileAddress(row.filename)
}

/** The images that the channel shows, or those of the open thread if only that has this one. */
function imagesWith({ channel, id }: OpenImage): MessagePayload[] {
  const inChannel = channel.items.value
    .filter(isRowItem)
    .flatMap(rowsOf)
    .map(one => one.row)
  const folded = channel.findRow(id)
  const places = [inChannel, threadRows.value, folded ? [folded] : []]
  const rows = places.find(place => place.some(row => row.id === id)) ?? []
  return rows.filter(row => row.id > 0 && row.deleted === 0 && isPicture(row))
}
