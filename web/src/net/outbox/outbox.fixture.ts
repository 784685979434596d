/** A device and a server for unit tests of the outbox. */
import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { reconcilePending } from '../../store/channels/channel-pending.ts'
import { newestPage } from '../../store/messages/messages.ts'
import type { Pending } from '../../store/messages/pending.ts'
import { settled, TestClock } from '../requests/clock.fixture.ts'
import { Failure } from '../requests/failure.ts'
import type { Underway } from '../requests/upload.ts'
import { Outbox } from './outbox.ts'
import type { OutboxChannel, OutboxMessage } from './outbox-world.ts'

interface Request {
  key: string
  text: string
  underway: Underway
  store: (id: number) => Promise<void>
  fail: (status: number, reason?: string, retryAfter?: number) => Promise<void>
}

/** A device with its storage and lock, shared by all its tabs, and a server that responds when the test says so. */
export class Device {
  readonly clock = new TestClock()
  readonly records = new Map<string, Pending>()
  readonly requests: Request[] = []
  readonly reports: string[] = []
  readonly discarded: string[] = []
  readonly revoked: string[] = []
  readonly listeners: { tab: number; listen: (message: OutboxMessage) => void }[] = []
  canStore = true
  hasSession = true
  readonly #locks = new Map<string, Promise<unknown>>()
  #tabs = 0
  #keys = 0

  tab() {
    const tab = ++this.#tabs
    const channels = new Map<string, OutboxChannel>()
    const channelOf = (id: string) => {
      const channel = channels.get(id) ?? newChannel(id)
      channels.set(id, channel)
      return channel
    }
    let missingFrames = 0
    const outbox = new Outbox({
      viewer: 'ada',
      clock: this.clock,
      storage: this.#storage(),
      channelOf,
      everyChannel: () => channels.values(),
      hasSession: () => this.hasSession,
      send: (message, underway) => this.#receive(message, underway),
      discard: ({ key }) => void this.discarded.push(key),
      goesInParts: file => file.name.startsWith('large'),
      upload: async (message, underway) => void (await this.#receive(message, underway)),
      withLock: (channel, lane, work) => this.#locked(`${channel} ${lane}`, work),
      tabs: {
        post: message => this.#post(tab, message),
        listen: listen => void this.listeners.push({ tab, listen }),
        close() {},
      },
      newKey: () => `key ${++this.#keys}`,
      addressOf: file => `blob:${file.name}`,
      revoke: address => void this.revoked.push(address),
      report: ({ what }) => void this.reports.push(what),
    })
    outbox.start(() => missingFrames++)
    const general = channelOf('general')
    return {
      outbox,
      general,
      missingFrames: () => missingFrames,
      states: () => general.pending.value.map(one => `${one.text || one.file?.name} ${one.state}`).join(', '),
      async say(text: string, files: File[] = []) {
        outbox.send(general, { text, files })
        await settled()
      },
      /** A frame of the stream. Only reconciled rows can be merged. */
      frame(...rows: MessagePayload[]) {
        const known = general.liveWindow.peek()?.rows ?? []
        general.liveWindow.value = newestPage([...known, ...reconcilePending(general, rows)], 60)
      },
    }
  }

  sent = () => this.requests.map(({ text }) => text).join(' ')
  last = () => this.requests.at(-1)!

  #storage() {
    const when = async <T>(work: () => T): Promise<T | undefined> => (this.canStore ? work() : undefined)
    return {
      all: () => when(() => structuredClone([...this.records.values()])),
      has: (key: string) => when(() => this.records.has(key)),
      put: (message: Pending) => when(() => Boolean(this.records.set(message.key, message)) as true),
      delete: (key: string) => when(() => this.records.delete(key)),
    }
  }

  #locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#locks.get(name) ?? Promise.resolve()).then(work)
    this.#locks.set(
      name,
      result.catch(() => {}),
    )
    return result
  }

  #post(tab: number, message: OutboxMessage) {
    for (const one of this.listeners) if (one.tab !== tab) one.listen(message)
  }

  #receive({ key, text }: Pending, underway: Underway) {
    return new Promise<number | undefined>((resolve, reject) => {
      underway.signal.addEventListener('abort', () =>
        reject(underway.signal.reason.name === 'TimeoutError' ? new Failure(0, '') : underway.signal.reason),
      )
      const store = (id: number) => {
        resolve(id)
        return settled()
      }
      const fail = (status: number, reason = '', retryAfter = 0) => {
        reject(new Failure(status, reason, retryAfter))
        return settled()
      }
      this.requests.push({ key, text, underway, store, fail })
    })
  }
}

function newChannel(id: string): OutboxChannel {
  return {
    id,
    pending: signal<Pending[]>([]),
    unconfirmed: new Map(),
    keys: new Map(),
    pictures: new Map(),
    liveWindow: signal(newestPage([], 60)),
  }
}
