/** Threads (interface 11.2). */
import type { ChannelId, Seconds, Username } from '../units.ts'
import type { MessagePayload } from './messages.ts'

/** GET /thread/<message id> (interface 11.2). */
export interface ThreadPayload {
  /** Null if the reader may not see it, or it was removed. */
  root: MessagePayload | null
  /** Oldest first. */
  rows: MessagePayload[]
  /** There are older rows. */
  more: boolean
  following: boolean
  last_read_id: number
  unread: number
  /** Names of the people who wrote in it, at most 100; only with the newest rows. */
  people?: Username[]
}

/** An item of GET /threads (interface 11.2). */
export interface FollowedThread {
  id: number
  channel: ChannelId
  root: MessagePayload | null
  replies: number
  /** The newest reply. */
  last: MessagePayload | null
  last_ts: Seconds
  people: string[]
  unread: number
  /** Ids of unread replies that mention the viewer or everyone, at most the newest 100. Older servers leave it out. */
  mentioned?: number[]
  following: true
}

/** POST /threads/read (interface 11.2). */
export interface ThreadsReadPayload {
  /** Unread threads may be left: repeat the request. */
  more: boolean
}

/** GET /threads, newest reply first. */
export interface ThreadsPayload {
  items: FollowedThread[]
  next: string | null
}
