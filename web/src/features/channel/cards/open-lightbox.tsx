import { signal } from '@preact/signals'
import type { Channel } from '../../../store/channels.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'
import type { OpenImage } from './Lightbox.tsx'

const lookedAt = signal<OpenImage | undefined>(undefined)

const Lightbox = lazyComponent(() => import('./Lightbox.tsx').then(module => module.Lightbox))

export function openLightbox(channel: Channel, id: number) {
  lookedAt.value = { channel, id }
}

export function LightboxHost() {
  const open = lookedAt.value
  const Shown = open && Lightbox.get()
  const show = (next: OpenImage | undefined) => {
    lookedAt.value = next
  }
  return Shown ? <Shown open={open} show={show} /> : null
}
