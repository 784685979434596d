import type { ReadonlySignal } from '@preact/signals'
import type { RepliesCount } from '#shared/domain/payloads/messages.ts'

import type { Channel } from '../../../store/channels/channels.ts'
import type { RowItem } from '../../../store/messages/items.ts'
import type { Readers } from '../../../store/messages/selectors.ts'

export interface RowProps {
  channel: Channel
  item: RowItem
  /** For screen readers, in place of the date and New lines above. */
  before: string
  readers: Readers | undefined
  replies: RepliesCount | undefined
  /** Of `replies`, those after the New line. */
  newReplies: number
  /** Its thread is open in the panel. */
  isOpened: boolean
  memberCount: number
  /** Key of the row under the pointer. */
  hover: ReadonlySignal<string | undefined> | undefined
  /** Has the toolbar while no row is under the pointer. */
  isActive: boolean
  stop: boolean
  flash: boolean
  editing: boolean
}
