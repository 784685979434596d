import { signal } from '@preact/signals'
import type { Channel } from '../../../store/channels/channels.ts'
import { part } from '../../../ui/part.ts'
import type { OpenImage } from './Lightbox.tsx'

const lookedAt = signal<OpenImage | undefined>(undefined)

export const lightbox = part<typeof import('./Lightbox.tsx')>()

export function openLightbox(channel: Channel, id: number) {
  lookedAt.value = { channel, id }
}

export function LightboxHost() {
  const open = lookedAt.value
  const Shown = open && lightbox.get('Lightbox')
  const show = (next: OpenImage | undefined) => {
    lookedAt.value = next
  }
  return Shown ? <Shown open={open} show={show} /> : null
}
