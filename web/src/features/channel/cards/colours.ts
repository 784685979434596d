/**
 * Syntax colours (ui.md 3.1), computed by `highlight.worker.ts`, one text at a time. A text over the time limit stays
 * plain and never blocks the page.
 */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Answer, Wanted } from './highlight.worker.ts'
import type { Piece } from './pieces.ts'

/** Limit for one text, in ms. */
const LONGEST = 2_000
/** Characters; longer texts stay plain. */
const MOST = 200_000
const MOST_KEPT = 200

type Lines = Signal<Piece[][] | undefined>

const known = new Map<string, Lines>()
const waiting: (Wanted & { lines: Lines })[] = []
let worker: Worker | undefined
/** Set while a text is being parsed. */
let timer: ReturnType<typeof setTimeout> | undefined

/** Coloured lines; undefined until computed, and for good when there are no colours. */
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
  // The worker's file did not load: the next code retries.
  if (!wasReading) return
  waiting.shift()
  if (waiting.length > 0) start()
}
