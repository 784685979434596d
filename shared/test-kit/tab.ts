import { createParser } from 'eventsource-parser'
import type { DeltaName, ExtraEvent, WITH_EXTRA } from '#shared/domain/deltas.ts'
import type { EventName, EventPayloads } from '#shared/domain/payloads/events.ts'
import type { ChannelId } from '#shared/domain/units.ts'

/** A frame of a stream, in the order of arrival. */
export interface ReceivedFrame {
  event: EventName | DeltaName
  id: string | undefined
  /** The received JSON text, which must equal the endpoint's body. */
  data: string
  /** Milliseconds since the tab was opened. */
  at: number
}

export interface TabOptions {
  channel?: ChannelId
  after?: number | string
  lastEventId?: string
  /** Requested delta events, and the hashes of known states. */
  deltas?: readonly (DeltaName | ExtraEvent | typeof WITH_EXTRA)[]
  known?: string
  /** A token of the API. */
  token?: string
  /** Never reads from the connection. */
  paused?: boolean
}

const PATIENCE = 25_000

/** The stream of a browser tab: reads frames, keeps the last of each event, does not reconnect. */
export class Tab {
  readonly frames: ReceivedFrame[] = []
  readonly comments: { text: string; at: number }[] = []
  /** All received text. */
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

  /** The last data of an event, as received. */
  lastText(event: EventName | DeltaName): string | undefined {
    return this.frames.findLast(frame => frame.event === event)?.data
  }

  events(): (EventName | DeltaName)[] {
    return this.frames.map(frame => frame.event)
  }

  /** The value that a browser would send as Last-Event-ID. */
  get lastEventId(): string | undefined {
    return this.frames.findLast(frame => frame.id !== undefined)?.id
  }

  /** All received message rows, in frame order. */
  rows(): EventPayloads['messages'] {
    return this.framesOf('messages').flatMap(frame => JSON.parse(frame.data) as EventPayloads['messages'])
  }

  framesOf(event: EventName | DeltaName): ReceivedFrame[] {
    return this.frames.filter(frame => frame.event === event)
  }

  /** Calls `found` after every frame, and resolves with its first result. */
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

  /** Names of the received events, up to and including the next frame of this event. */
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
      // Closed by the test or by the gateway.
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
 * Requests a stream; the response may be a refusal. Like a browser, retries once if the gateway closes a kept-alive
 * connection at this moment.
 */
export async function requestStream(
  at: string,
  cookie: string,
  { channel, after, lastEventId, deltas, known, token }: TabOptions = {},
  init: RequestInit = {},
): Promise<Response> {
  const query = new URLSearchParams()
  if (channel !== undefined) query.set('channel', channel)
  if (after !== undefined) query.set('after', String(after))
  if (deltas !== undefined) query.set('with', deltas.join())
  if (known !== undefined) query.set('known', known)
  const headers = new Headers({ Accept: 'text/event-stream' })
  if (cookie) headers.set('Cookie', cookie)
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
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
