import type { ChannelId, Username } from '#shared/domain/units.ts'
import { SYSTEM_SENDER } from '#shared/domain/username.ts'
import { runStatement } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertMessages, type Post, type Posted } from './queries.ts'

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
  return runStatement(stores, 'sendPublic', { channel, mentioned: [] }, db =>
    postSystemLine(db, channel, content),
  )
}
