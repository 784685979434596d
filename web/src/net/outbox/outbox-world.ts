/** The surroundings of the outbox (outbox.ts): the browser's in browser-outbox.ts, a test's in outbox.test.ts. */
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Channel } from '../../store/channels/channels.ts'
import type { Pending } from '../../store/messages/pending.ts'
import type { Report } from '../../store/reports.ts'
import type { Clock } from '../requests/clock.ts'
import type { Underway } from '../requests/upload.ts'
import type { TabChannel } from '../tabs/tab-channel.ts'

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
  /** True if the file is uploaded before the message that names it. */
  goesInParts: (file: File) => boolean
  /** Uploads the file of a message, from where the server has it. Throws `Failure`. */
  upload: (message: Pending, underway: Underway) => Promise<void>
  /** Removes from the server what it has of an unsent message. */
  discard: (message: Pending) => void
  /** Runs `work` while no other tab sends messages of the channel, or uploads large files of it. */
  withLock: <T>(channel: ChannelId, lane: Lane, work: () => Promise<T>) => Promise<T>
  tabs: TabChannel<OutboxMessage>
  /** A unique `client_id`. */
  newKey: () => string
  /** Address of a local picture. */
  addressOf: (file: File) => string
  /** Frees the address. */
  revoke: (address: string) => void
  report: (outcome: Report) => void
}

/** A large file holds up no message: it has a queue of its own. */
export type Lane = 'messages' | 'uploads'

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
