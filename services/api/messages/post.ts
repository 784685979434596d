import { writeOnce } from '#shared/notices/write.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import { SYSTEM_SENDER } from '#shared/rules/username.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertMessages } from './queries.ts'

export interface Post {
  channel: ChannelId
  sender: string
  /** The rows to put, in order: a text, then an image each (interface 4.3). */
  rows: { content: string | null; filename: string | null }[]
  /** Mentions of the first row. */
  mentions: string[] | null
  replyTo: number | undefined
  /** The private channel of which the sender must be a member; undefined where access cannot end meanwhile. */
  memberOf: number | undefined
  clientId: string | undefined
  /** Of a DM: those for whom it comes into being with its first message. */
  participants: Username[]
  contentType: 'text' | 'system'
}

export interface Posted {
  id: number
  ts: Seconds
  ord: number
}

/**
 * Puts rows into a channel at its next times, and moves the sender's watermark to the last. One statement.
 * No rows: the sender has left the private channel.
 */
export function post(db: Db, message: Post): Promise<Posted[]> {
  return insertMessages(db, message)
}

/**
 * A line from bothy itself, within a transaction: whoever calls publishes. `participants`: of a DM that may come into
 * being with it.
 */
export async function postSystemLine(
  db: Db,
  channel: ChannelId,
  content: string,
  participants: Username[] = [],
): Promise<Posted> {
  const [posted] = await post(db, {
    channel,
    sender: SYSTEM_SENDER,
    rows: [{ content, filename: null }],
    mentions: null,
    replyTo: undefined,
    memberOf: undefined,
    clientId: undefined,
    participants,
    contentType: 'system',
  })
  return posted!
}

/** A notice from bothy itself in a public channel; publishes its notice. */
export function postSystemMessage(stores: Stores, channel: ChannelId, content: string): Promise<Posted> {
  return writeOnce(stores, 'sendPublic', { channel, mentioned: [] }, db =>
    postSystemLine(db, channel, content),
  )
}
