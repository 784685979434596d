import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { writeOnce } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertMessages } from './queries.ts'

export interface Post {
  channel: ChannelId
  sender: string
  /** Rows in order: a text, then an image each (interface 4.3). */
  rows: { content: string | null; filename: string | null }[]
  /** Mentions of the first row. */
  mentions: string[] | null
  replyTo: number | undefined
  /** The private channel of which the sender must be a member; undefined where access cannot end. */
  memberOf: number | undefined
  clientId: string | undefined
  /** For a DM: the users for whom its first message opens it. */
  participants: Username[]
  contentType: 'text' | 'system'
}

export interface Posted {
  id: number
  ts: Seconds
  ord: number
}

/**
 * Inserts rows at the channel's next times and moves the sender's watermark to the last. One statement. Returns no rows
 * when the sender has left the private channel.
 */
export function post(db: Db, message: Post): Promise<Posted[]> {
  return insertMessages(db, message)
}

/**
 * Inserts a system message within a transaction; the caller publishes. `participants`: of a DM that the message may open.
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

/** Posts a system message in a public channel, and publishes its notice. */
export function postSystemMessage(stores: Stores, channel: ChannelId, content: string): Promise<Posted> {
  return writeOnce(stores, 'sendPublic', { channel, mentioned: [] }, db =>
    postSystemLine(db, channel, content),
  )
}
