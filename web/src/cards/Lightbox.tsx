import { signal } from '@preact/signals'
import { imageExtension } from '#shared/rules/uploads.ts'
import { Avatar, PersonName, shownName } from '../people/Avatar.tsx'
import { fileAddress } from '../server/endpoints.ts'
import type { Channel } from '../store/channels.ts'
import { isRowItem, rowsOf } from '../store/items.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { words } from '../words.ts'
import './Lightbox.css'

const open = signal<{ channel: Channel; id: number } | undefined>(undefined)

export function openLightbox(channel: Channel, id: number) {
  open.value = { channel, id }
}

/** Full screen and dark; the arrows go through the images that are loaded. */
export function LightboxHost() {
  if (!open.value) return null
  const { channel, id } = open.value
  const images = imagesOf(channel)
  const at = images.findIndex(row => row.id === id)
  const row = images[at]
  const close = () => {
    open.value = undefined
  }
  if (!row?.filename) return null
  const go = (to: number) => {
    const next = images[to]
    if (next) open.value = { channel, id: next.id }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') go(at - 1)
    if (event.key === 'ArrowRight') go(at + 1)
  }
  return (
    <Dialog label={words.viewer.label} onClose={close}>
      <div class="lb" role="group" aria-label={words.viewer.label} onKeyDown={onKeyDown}>
        <div class="lb-t">
          <Avatar name={row.sender} size={24} />
          <PersonName name={row.sender} />
          <span>{words.time(row.ts)}</span>
          <span class="grow" />
          <a
            class="ib"
            href={fileAddress(row.filename)}
            download
            aria-label={words.viewer.download}
            title={words.viewer.download}
          >
            <Icon name="download" />
          </a>
          <button type="button" class="ib" aria-label={words.close} title={words.close} onClick={close}>
            <Icon name="x" />
          </button>
        </div>
        <div class="lb-i">
          <button
            type="button"
            class="ib"
            aria-label={words.viewer.previous}
            aria-disabled={at === 0}
            onClick={() => go(at - 1)}
          >
            <Icon name="chev-left" flip />
          </button>
          <img
            key={row.id}
            src={fileAddress(row.filename)}
            alt={words.list.imageFrom(shownName(row.sender))}
          />
          <button
            type="button"
            class="ib"
            aria-label={words.viewer.next}
            aria-disabled={at === images.length - 1}
            onClick={() => go(at + 1)}
          >
            <Icon name="chev-right" flip />
          </button>
        </div>
        <div class="lb-f">{words.viewer.of(at + 1, images.length)}</div>
      </div>
    </Dialog>
  )
}

function imagesOf(channel: Channel) {
  return channel.items.value
    .filter(isRowItem)
    .flatMap(rowsOf)
    .map(one => one.row)
    .filter(row => row.id > 0 && row.filename !== null && imageExtension(row.filename) !== undefined)
}
