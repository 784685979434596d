import type { Posting } from '#shared/access/access-of.ts'
import type { Posted } from '#shared/channels/system-message.ts'
import type { MessageExtra } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db, PreparedStatement } from '#shared/stores/postgres.ts'
import type { PathOfPost } from './client-ids.ts'
import { SEND } from './send-statements.ts'

export interface PostRow {
  content: string | null
  filename: string | null
  extra?: MessageExtra
}

export interface Post {
  channel: ChannelId
  sender: Username
  /** Rows in order: a text, then a file each (interface 4.3). */
  rows: PostRow[]
  /** Mentions of the first row. */
  mentions: string[] | null
  replyTo: number | undefined
  /** The private channel of which the sender must be a member. */
  memberOf: number | undefined
  /** A public channel: whether it is one of the settings. Undefined for others. */
  isConfigured: boolean | undefined
  /** The role of the sender as the access check found it. No rows are returned for a member who became a guest. */
  isGuest?: boolean
  /** The posting of the channel as the sender found it. No rows are returned if this became stricter. */
  posting: Posting
  clientId: string | undefined
  /** The request that the client id belongs to. Default: `/send`. */
  path?: PathOfPost
  /** The place in the channel of the first row, if that was sent before. */
  firstOrd?: number | undefined
  /** For a DM: the users for whom its first message opens it. */
  participants: Username[]
  /** Sent without the person: their unread messages stay unread. */
  isAway?: boolean
}

export interface Sent extends Posted {
  /** The sender had marked the channel as unread, which ends with the send. */
  endsMark: boolean
  /** The sender had not joined the public channel, which the send does. */
  joins: boolean
  /** The DM appears in the lists of participants: it is new, or was closed. */
  opens: boolean
  /** For a reply: people whose inbox may list it, more than a notice names if they are many. */
  followers: Username[] | null
}

/**
 * Inserts the rows of a send with everything that belongs to them at the channel's next times, in one statement: the
 * channel's row is locked for one round trip. The sender's account, and the membership of a guest or in a private
 * channel, is locked before the clock, and in a DM the accounts of all participants: a concurrent departure, change of
 * role, deactivation or renaming comes after the message, or no rows are returned. The same holds for a change of who may write, which is read from the locked row of the channel.
 */
export async function insertMessages(db: Db, post: Post): Promise<Sent[]> {
  const values = [
    post.channel,
    post.rows.length,
    post.sender,
    post.rows.map(row => row.content),
    post.rows.map(row => row.filename),
    post.replyTo ?? null,
    post.mentions && JSON.stringify(post.mentions),
    post.mentions ?? [],
    post.clientId ?? null,
    post.rows.map(row => (isEmpty(row.extra) ? null : JSON.stringify(row.extra))),
    post.firstOrd ?? null,
    post.path ?? '/send',
    post.isAway ?? false,
  ]
  const { memberOf, isConfigured, isGuest, posting } = post
  const run = async (statement: string | PreparedStatement, ...place: unknown[]) =>
    (await db.query<Sent>(statement, [...values, ...place])).rows
  if (memberOf !== undefined) return run(SEND.private[posting], memberOf)
  if (isConfigured === undefined) return run(SEND.dm, post.participants)
  return run(SEND[isConfigured ? 'configured' : 'madeHere'][isGuest ? 'guest' : posting])
}

const isEmpty = (extra: MessageExtra = {}) => Object.keys(extra).length === 0

/** JSON text of the details of a message that mentions groups (interface 11.6) or is of a program; null without any. */
export function extraOf(groups: readonly string[], ofProgram: MessageExtra = {}): string | null {
  const extra: MessageExtra = { ...(groups.length > 0 && { groups: [...groups] }), ...ofProgram }
  return isEmpty(extra) ? null : JSON.stringify(extra)
}
