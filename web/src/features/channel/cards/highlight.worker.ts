/** Highlights code off the main thread: posts `ready`, then one result per text (colours.ts). */
import { highlight } from './highlight.ts'
import type { Piece } from './pieces.ts'

export interface Wanted {
  text: string
  language: string
}
/** `lines` undefined: no colours. */
export type Answer = 'ready' | { lines: Piece[][] | undefined }

const answer = (message: Answer) => postMessage(message)

addEventListener('message', ({ data }: MessageEvent<Wanted>) => {
  answer({ lines: coloured(data) })
})
answer('ready')

function coloured({ text, language }: Wanted) {
  try {
    return highlight(text, language)
  } catch (error) {
    // Nested too deeply for the grammar.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
