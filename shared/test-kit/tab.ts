import { createParser } from 'eventsource-parser'
import type { DeltaName } from '#shared/rules/deltas.ts'
import type { EventName, EventPayloads } from '#shared/rules/payloads.ts'
import type { ChannelId } from '#shared/rules/units.ts'

/** One frame of a stream, in the order of arrival. */
export interface ReceivedFrame {
  event: EventName | DeltaName
  id: string | undefined
  /** The JSON text as it came: what must equal the endpoint's body. */
  data: string
  /** Milliseconds since the tab was opened. */
  at: number
}

export interface TabOptions {
  channel?: ChannelId
  after?: number | string
  lastEventId?: string
  /** The delta events that it asks for, and the hashes of what it holds. */
  deltas?: readonly DeltaName[]
  known?: string
  /** A tab that does not read until it is told to. */
  paused?: boolean
}

const PATIENCE = 8_000

/** A browser's tab as far as the stream is concerned: reads frames, keeps the last of each event, does not reconnect. */
export class Tab {
  readonly frames: ReceivedFrame[] = []
  readonly comments: { text: string; at: number }[] = []
  /** All that came, as text. */
  raw = ''
  retry: number | undefined
  isOpen = true
  readonly response: Response
  readonly #openedAt = performance.now()
  readonly #abort: AbortController
  readonly #waiting = new Set<() => void>()
  readonly ended: Promise<void>

  constructor(response: Response, abort: AbortController, paused: boolean) {
    this.response = response
    this.#abort = abort
    this.ended = paused ? new Promise(() => {}) : this.#read()
  }

  /** The last data of each event. */
  get last(): { [Event in EventName]?: EventPayloads[Event] } {
    return Object.fromEntries(this.frames.map(frame => [frame.event, JSON.parse(frame.data)]))
  }

  /** The last data of one event, as it came. */
  lastText(event: EventName | DeltaName): string | undefined {
    return this.frames.findLast(frame => frame.event === event)?.data
  }

  events(): (EventName | DeltaName)[] {
    return this.frames.map(frame => frame.event)
  }

  /** What a browser would send as Last-Event-ID. */
  get lastEventId(): string | undefined {
    return this.frames.findLast(frame => frame.id !== undefined)?.id
  }

  /** Every message row that came, in the order of the frames. */
  rows(): EventPayloads['messages'] {
    return this.framesOf('messages').flatMap(frame => JSON.parse(frame.data) as EventPayloads['messages'])
  }

  framesOf(event: EventName | DeltaName): ReceivedFrame[] {
    return this.frames.filter(frame => frame.event === event)
  }

  /** Resolves with what `found` finds, looked for after every frame. */
  async waitFor<T>(found: (tab: this) => T | undefined | false, patience = PATIENCE): Promise<T> {
    const until = performance.now() + patience
    for (;;) {
      const result = found(this)
      if (result !== undefined && result !== false) return result
      const left = until - performance.now()
      if (left <= 0 || !this.isOpen) {
        const why = this.isOpen ? `${patience} ms are over` : 'the stream ended'
        throw new Error(`${why}; seen: ${this.events().join(', ') || 'nothing'}`)
      }
      await this.#somethingNew(left)
    }
  }

  /** The names of the events that came, up to and with the first frame of this one after now. */
  async eventsUntil(event: EventName): Promise<(EventName | DeltaName)[]> {
    const from = this.frames.length
    const at = await this.waitFor(() => {
      const index = this.frames.findIndex((frame, i) => i >= from && frame.event === event)
      return index < 0 ? undefined : index
    })
    return this.events().slice(from, at + 1)
  }

  close() {
    this.isOpen = false
    this.#abort.abort()
  }

  async #read() {
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        this.frames.push({ event: event as EventName, id, data, at: performance.now() - this.#openedAt })
      },
      onComment: text => this.comments.push({ text, at: performance.now() - this.#openedAt }),
      onRetry: wait => {
        this.retry = wait
      },
    })
    try {
      const decoder = new TextDecoder()
      for await (const bytes of this.response.body!) {
        const text = decoder.decode(bytes, { stream: true })
        this.raw += text
        parser.feed(text)
        this.#wake()
      }
    } catch {
      // Cut off, by us or by the gateway.
    }
    this.isOpen = false
    this.#wake()
  }

  #wake() {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  #somethingNew(patience: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, patience)
      this.#waiting.add(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/**
 * Asks for a stream; the answer may also be a refusal. As in a browser, a connection that was kept from a stream before, and
 * that the gateway closes in this moment, is no answer: it is asked for once more.
 */
export async function requestStream(
  at: string,
  cookie: string,
  { channel, after, lastEventId, deltas, known }: TabOptions = {},
  init: RequestInit = {},
): Promise<Response> {
  const query = new URLSearchParams()
  if (channel !== undefined) query.set('channel', channel)
  if (after !== undefined) query.set('after', String(after))
  if (deltas !== undefined) query.set('with', deltas.join())
  if (known !== undefined) query.set('known', known)
  const headers = new Headers({ Accept: 'text/event-stream' })
  if (cookie) headers.set('Cookie', cookie)
  if (lastEventId !== undefined) headers.set('Last-Event-ID', lastEventId)
  const ask = () => fetch(`${at}/events?${query}`, { headers, redirect: 'manual', ...init })
  return ask().catch(err => {
    if ((err as { cause?: { code?: string } }).cause?.code !== 'UND_ERR_SOCKET') throw err
    return ask()
  })
}

/** Opens a tab: `at` is a gateway or a front door, `cookie` a person's. */
export async function openTab(at: string, cookie: string, options: TabOptions = {}): Promise<Tab> {
  const abort = new AbortController()
  const response = await requestStream(at, cookie, options, { signal: abort.signal })
  if (response.status !== 200) {
    throw new Error(`no stream: ${response.status} ${await response.text()}`)
  }
  return new Tab(response, abort, options.paused ?? false)
}
