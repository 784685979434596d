import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { followersOf } from './followers.ts'

export interface EarlierSend {
  id: number
  /** null when the row no longer exists. */
  channel: ChannelId | null
  /** JSON text, as in a message. */
  mentions: string | null
  /** As in `Sent`. */
  followers: Username[] | null
  isForgotten: boolean
}

/** The first row of an earlier send with this id, and whether the id has expired. */
export async function messageOfClientId(
  db: Db,
  sender: Username,
  clientId: string,
): Promise<EarlierSend | undefined> {
  const { rows } = await db.query<EarlierSend>(
    `select sent.message_id as id, message.channel, message.mentions, ${followersOf('message')} as followers,
            sent.ts < ${CLIENT_IDS_FROM} as "isForgotten"
       from client_ids sent
       left join messages message on message.id = sent.message_id
      where sent.sender = $1 and sent.client_id = $2`,
    [sender, clientId],
  )
  return rows[0]
}

/** Decisions, Idempotent send. The janitor deletes ids that are not reused. */
const CLIENT_IDS_FROM = 'extract(epoch from now()) - 24 * 3600'

/** Deletes an expired client id, so that it can be reused; one inserted meanwhile stays. */
export async function forgetClientId(db: Db, sender: Username, clientId: string): Promise<void> {
  await db.query(`delete from client_ids where sender = $1 and client_id = $2 and ts < ${CLIENT_IDS_FROM}`, [
    sender,
    clientId,
  ])
}
