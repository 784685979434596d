import { part } from '../../ui/part.ts'

/** Marking as read and unread, from the list of messages. */
export const marking = part<typeof import('../../common/mark-read.ts')>()
