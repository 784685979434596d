/** A page and a server for unit tests of the stream's supervisor. */
import { signal } from '@preact/signals'
import { settled, TestClock } from '../requests/clock.fixture.ts'
import { Poller } from './polling.ts'
import { type StreamListener, StreamSupervisor } from './stream.ts'

interface Opened {
  channel: string | undefined
  isClosed: boolean
  /** Sends a frame. */
  frame: (name?: string) => void
  /** The connection breaks. */
  breaks: () => void
  /** The response is not a stream. */
  refuse: (status: number) => Promise<void>
}

/** A server that opens streams and responds as the test says, and a page. */
export class Page {
  readonly clock = new TestClock()
  readonly opened: Opened[] = []
  readonly applied: string[] = []
  readonly reports: string[] = []
  readonly connection = signal<'up' | 'lost' | 'dead' | 'crowded'>('up')
  followed: string | undefined = 'general'
  hasSession = true
  isHidden = false
  /** Undefined: the server does not respond. */
  unread: number | undefined = 0
  streamUnread = 0
  polls = 0
  backs = 0
  expired = 0
  #status = 200

  readonly #page = {
    clock: this.clock,
    // No jitter.
    random: () => 0.5,
    hasSession: () => this.hasSession,
    isHidden: () => this.isHidden,
  }
  readonly poller = new Poller({
    ...this.#page,
    request: async () => {
      this.polls++
      return this.unread !== undefined
    },
  })
  readonly stream = new StreamSupervisor({
    ...this.#page,
    connect: listener => this.#connect(listener),
    followed: () => this.followed,
    poller: this.poller,
    requestUnread: async () => this.unread,
    streamUnread: () => this.streamUnread,
    requestStatus: async () => this.#status,
    expireRows: () => this.expired++,
    connection: this.connection,
    report: ({ what }) => void this.reports.push(what),
  })

  constructor() {
    this.stream.start(() => this.backs++)
    this.stream.follow()
  }

  get last() {
    return this.opened.at(-1)!
  }

  pass = (time: number) => this.clock.pass(time)

  #connect(listener: StreamListener) {
    const opened: Opened = {
      channel: this.followed,
      isClosed: false,
      frame: (name = 'frame') => listener.onFrame(() => this.applied.push(name)),
      breaks: () => listener.onError(false),
      refuse: status => {
        this.#status = status
        listener.onError(true)
        return settled()
      },
    }
    this.opened.push(opened)
    return {
      channel: opened.channel,
      close: () => {
        opened.isClosed = true
      },
    }
  }
}
