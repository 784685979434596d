/** Colours code beside the page: says that it is there, then answers one text at a time (colours.ts). */
import { highlight } from './highlight.ts'
import type { Piece } from './pieces.ts'

export interface Wanted {
  text: string
  language: string
}
/** Nothing: there are no colours for it. */
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
    // What is nested too deeply for the grammars.
    if (error instanceof RangeError) return undefined
    throw error
  }
}
