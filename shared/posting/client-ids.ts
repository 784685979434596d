import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { followersOf } from './followers.ts'

/** The request that a client id belongs to. */
export type PathOfPost = '/send' | `/forward/${number}`

export interface EarlierSend {
  id: number
  path: PathOfPost
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
            coalesce(sent.path, '/forward/' || (message.extra -> 'forward' ->> 'id'), '/send') as path,
            sent.ts < ${CLIENT_IDS_FROM} as "isForgotten"
       from client_ids sent
       left join messages message on message.id = sent.message_id
      where sent.sender = $1 and sent.client_id = $2`,
    [sender, clientId],
  )
  return rows[0]
}

/** The place in the channel of the first row of a reply to a message. */
export async function ordOfReply(
  db: Db,
  reply: { sender: Username; clientId: string; channel: ChannelId; replyTo: number },
): Promise<number | undefined> {
  const { rows } = await db.query<{ ord: number }>(
    `select message.ord
       from client_ids sent
       join messages message on message.id = sent.message_id
      where sent.sender = $1 and sent.client_id = $2 and message.channel = $3 and message.reply_to_id = $4`,
    [reply.sender, reply.clientId, reply.channel, reply.replyTo],
  )
  return rows[0]?.ord
}

/** Interface 4.3. The janitor deletes ids that are not reused. */
const CLIENT_IDS_FROM = 'extract(epoch from now()) - 24 * 3600'

/** Deletes an expired client id, so that it can be reused; one inserted meanwhile stays. */
export async function forgetClientId(db: Db, sender: Username, clientId: string): Promise<void> {
  await db.query(`delete from client_ids where sender = $1 and client_id = $2 and ts < ${CLIENT_IDS_FROM}`, [
    sender,
    clientId,
  ])
}

/** The name space of the client ids of scheduled sends. */
const NAME_SPACE = '5b0a3c1e-7d84-4f0b-9a53-1c6d2e8f4b70'

/** The client id of a scheduled send: a UUID of version 5, made from the id of the row. */
export function clientIdOfScheduled(id: number): string {
  const hash = createHash('sha1')
    .update(Buffer.from(NAME_SPACE.replaceAll('-', ''), 'hex'))
    .update(`scheduled ${id}`)
    .digest()
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
