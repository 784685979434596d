/** Files of the next message, by the key of its draft: a channel, or a thread. */

import type { Channel } from '../../../store/channels/channels.ts'
import type { Pending } from '../../../store/messages/pending.ts'
import { panel } from '../../../store/store.ts'
import { type Attachment, attachments } from '../../../store/writing/attachments.ts'

export function attachmentsOf(place: string): Attachment[] {
  return attachments.value.get(place) ?? []
}

/** Files being sent that the composer of a channel or a thread shows. While a thread is open, its own are shown there. */
export const uploadsOf = ({ pending }: Channel, thread: number | undefined): Pending[] =>
  pending.value.filter(
    ({ file, state, thread: of }) =>
      file &&
      (state === 'waiting' || state === 'sending') &&
      (thread === undefined ? of === undefined || panel.value !== 'thread' : of === thread),
  )
