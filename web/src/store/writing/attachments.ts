import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'

/** A file of the next message. */
export interface Attachment {
  key: string
  channel: ChannelId
  /** Position among the files of this device. */
  order: number
  file: File
  /** An address for the page's lifetime. */
  preview: string
}

/** Files of the next messages, by channel. */
export const attachments = signal<ReadonlyMap<ChannelId, Attachment[]>>(new Map())

export function setAttachments(channel: ChannelId, list: Attachment[]) {
  const next = new Map(attachments.peek())
  if (list.length > 0) next.set(channel, list)
  else next.delete(channel)
  attachments.value = next
}
