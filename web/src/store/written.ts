import type { Pending } from './pending.ts'

/** A message as it leaves the composer. */
export interface Written {
  text: string
  replyTo?: number | undefined
  /** Written in the panel of the thread whose root `replyTo` is. */
  inThread?: boolean
  files: File[]
}

export type WrittenRow = Pick<Pending, 'text' | 'replyTo' | 'thread'> & { file: File | undefined }

/** The text, then each file. All of them reply to the same message. */
export function rowsOf({ text, replyTo, inThread, files }: Written): WrittenRow[] {
  const place = { replyTo: replyTo ?? null, ...(inThread && { thread: true }) }
  return [
    ...(text === '' ? [] : [{ ...place, text, file: undefined }]),
    ...files.map(file => ({ ...place, text: '', file })),
  ]
}
