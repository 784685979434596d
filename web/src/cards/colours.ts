/**
 * The colours of code (ui.md 3.1), made by `highlight.worker.ts`, one text after the other. A text that takes too long stays
 * plain, and costs nobody but its own thread.
 */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Answer, Wanted } from './highlight.worker.ts'
import type { Piece } from './pieces.ts'

/** Milliseconds that one text may take. */
const LONGEST = 2_000
/** Characters; longer texts are not read for their colours. */
const MOST = 200_000
const MOST_KEPT = 200

type Lines = Signal<Piece[][] | undefined>

const known = new Map<string, Lines>()
const waiting: (Wanted & { lines: Lines })[] = []
let worker: Worker | undefined
/** Runs while a text is being read. */
let timer: ReturnType<typeof setTimeout> | undefined

/** Line by line; nothing while there are none, and nothing for good where none can be made. */
export function coloursOf({ text, language }: Wanted): ReadonlySignal<Piece[][] | undefined> {
  const key = `${language} ${text}`
  const before = known.get(key)
  if (before) return before
  const lines: Lines = signal(undefined)
  known.set(key, lines)
  for (const oldest of known.keys()) if (known.size > MOST_KEPT) known.delete(oldest)
  if (text.length <= MOST) {
    waiting.push({ text, language, lines })
    if (!worker) start()
    else if (timer === undefined && waiting.length === 1) next()
  }
  return lines
}

function start() {
  worker = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Answer>) => (data === 'ready' ? next() : done(data.lines))
  worker.onerror = giveUp
}

function next() {
  const [first] = waiting
  if (!first) return
  worker?.postMessage({ text: first.text, language: first.language } satisfies Wanted)
  timer = setTimeout(giveUp, LONGEST)
}

function done(lines: Piece[][] | undefined) {
  clearTimeout(timer)
  timer = undefined
  const job = waiting.shift()
  if (job) job.lines.value = lines
  next()
}

function giveUp() {
  const wasReading = timer !== undefined
  clearTimeout(timer)
  timer = undefined
  worker?.terminate()
  worker = undefined
  // Its file did not come: the next code that is shown asks for it again.
  if (!wasReading) return
  waiting.shift()
  if (waiting.length > 0) start()
}
