import type { ChannelId } from '#shared/domain/units.ts'
import type { Pending } from '../messages/pending.ts'

/** A message as it leaves the composer. */
export interface Written {
  text: string
  replyTo?: number | undefined
  /** The root of the thread in whose panel it was written. */
  inThread?: number
  /** The channel of the composer in which it was written. */
  composedFor?: ChannelId
  files: File[]
  /** Notifies nobody. */
  isQuiet?: boolean
}

export type WrittenRow = Pick<Pending, 'text' | 'replyTo' | 'thread' | 'composedFor' | 'quiet'> & {
  file: File | undefined
}

/** The text, then each file. All of them reply to the same message. */
export function rowsOf({ text, replyTo, inThread, composedFor, files, isQuiet }: Written): WrittenRow[] {
  const place = {
    replyTo: replyTo ?? null,
    ...(inThread !== undefined && { thread: inThread }),
    ...(composedFor !== undefined && { composedFor }),
    ...(isQuiet && { quiet: true }),
  }
  return [
    ...(text === '' ? [] : [{ ...place, text, file: undefined }]),
    ...files.map(file => ({ ...place, text: '', file })),
  ]
}
