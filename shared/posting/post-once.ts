import { setTimeout as pause } from 'node:timers/promises'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { ChannelId, Milliseconds, Username } from '#shared/domain/units.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { isUnavailable } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { forgetClientId, messageOfClientId, type PathOfPost } from './client-ids.ts'
import { type Mentioned, mentionsOf } from './mentioned.ts'

export interface SentMessage {
  /** The id of the first row. */
  id: number
  isEveryoneIgnored: boolean
  missed: Mentioned['missed']
}

/** Parts of a request that its repetition repeats. */
export interface Repeated {
  clientId: string | undefined
  channel: ChannelId
  /** Default: `/send`. */
  path?: PathOfPost
  /** Files of the request, for which an attempt may still hold the quota, or uploads. */
  hasFiles?: boolean
}

/** An attempt that has stored its files has stored its message after this time. */
const EARLIER_ENDS: Milliseconds = 500

/**
 * Runs `work`, which makes a post, once for a client id: returns the post of an earlier request, also if it was made while
 * `work` failed. Throws 409 if the id belongs to a request to another path or channel.
 */
export async function postOnce(
  stores: Stores,
  sender: Username,
  repeated: Repeated,
  work: () => Promise<SentMessage>,
): Promise<SentMessage> {
  const earlier = await earlierPost(stores, sender, repeated)
  if (earlier) return earlier
  try {
    return await work()
  } catch (err) {
    if (repeated.clientId === undefined || isUnavailable(err)) throw err
    if (repeated.hasFiles && err instanceof HttpError) await pause(EARLIER_ENDS)
    const meanwhile = await earlierPost(stores, sender, repeated)
    if (!meanwhile) throw err
    return meanwhile
  }
}

/** Publishes the notice of the earlier post again, which may have been lost. */
async function earlierPost(
  stores: Stores,
  sender: Username,
  { clientId, channel, path = '/send' }: Repeated,
): Promise<SentMessage | undefined> {
  if (clientId === undefined) return undefined
  const earlier = await messageOfClientId(stores.db, sender, clientId)
  if (earlier === undefined) return undefined
  if (earlier.isForgotten) {
    await forgetClientId(stores.db, sender, clientId)
    return undefined
  }
  const { id, channel: stored, mentions, followers } = earlier
  if (earlier.path !== path || !(await isSameChannel(stores, sender, stored, channel)))
    throw errors.clientIdUsed()
  if (stored !== null) {
    const names: string[] = mentions === null ? [] : JSON.parse(mentions)
    const besides = mentionsOf(stored, names, [sender], { id, followers })
    await publishNotice(stores, noticeOf('send', { channel: stored, besides }))
  }
  return { id, isEveryoneIgnored: false, missed: [] }
}

/** `stored`: null for a message that is gone. A DM may have another id since the request found it. */
async function isSameChannel(
  stores: Stores,
  sender: Username,
  stored: ChannelId | null,
  channel: ChannelId,
): Promise<boolean> {
  if (stored === null || stored === channel) return true
  return (await findReadableChannel(stores, sender, channel))?.id === stored
}
