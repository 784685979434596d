/** The surroundings of the outbox (outbox.ts): the browser's in browser-outbox.ts, a test's in outbox.test.ts. */
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Channel } from '../store/channels.ts'
import type { Pending } from '../store/pending.ts'
import type { Report } from '../store/reports.ts'
import type { Clock } from './clock.ts'
import type { TabChannel } from './tab-channel.ts'
import type { Underway } from './upload.ts'

export type OutboxChannel = Pick<
  Channel,
  'id' | 'pending' | 'unconfirmed' | 'keys' | 'pictures' | 'liveWindow'
>

export interface OutboxWorld {
  viewer: Username
  clock: Clock
  storage: OutboxStorage
  channelOf: (id: ChannelId) => OutboxChannel
  everyChannel: () => Iterable<OutboxChannel>
  hasSession: () => boolean
  /** Returns the id of the stored row. Throws `Failure`. */
  send: (message: Pending, underway: Underway) => Promise<number | undefined>
  /** Removes from the server what it has of an unsent message. */
  discard: (message: Pending) => void
  withLock: <T>(channel: ChannelId, work: () => Promise<T>) => Promise<T>
  tabs: TabChannel<OutboxMessage>
  /** A unique `client_id`. */
  newKey: () => string
  /** Address of a local picture. */
  addressOf: (file: File) => string
  report: (outcome: Report) => void
}

/** Where storage is denied or full, methods resolve with undefined. */
export interface OutboxStorage {
  all(): Promise<Pending[] | undefined>
  has(key: string): Promise<boolean | undefined>
  put(message: Pending): Promise<true | undefined>
  delete(key: string): Promise<unknown>
}

/** Messages between the tabs of a person. */
export type OutboxMessage = { channel: ChannelId; key: string } & (
  | { what: 'sent'; id: number | undefined }
  | { what: 'failed'; reason: string | undefined }
  | { what: 'again' }
  | { what: 'gone' }
)

export interface Written {
  text: string
  replyTo?: number | undefined
  files: File[]
}
