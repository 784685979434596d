import { signal } from '@preact/signals'
import type { Channel } from '../../../store/channels.ts'
import { Lazy, lazyComponent } from '../../../ui/lazy.tsx'

/** The open image, by its message. */
export const lookedAt = signal<{ channel: Channel; id: number } | undefined>(undefined)

const Lightbox = lazyComponent(() => import('./Lightbox.tsx').then(module => module.Lightbox))

export function openLightbox(channel: Channel, id: number) {
  lookedAt.value = { channel, id }
}

export function LightboxHost() {
  return lookedAt.value ? <Lazy of={Lightbox} /> : null
}
