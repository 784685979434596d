import type { RepliesCount } from '#shared/domain/payloads.ts'
import type { Channel } from '../../store/channels.ts'
import type { RowItem } from '../../store/items.ts'
import type { Readers } from '../../store/selectors.ts'

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
  active: boolean
  stop: boolean
  flash: boolean
  editing: boolean
}
