import { lockUndeleted } from '#shared/access/lock-channels.ts'
import { lockParticipants } from '#shared/access/lock-participants.ts'
import { findReadableChannel, readableChannel } from '#shared/access/readable-channel.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { touchOwnLists } from '#shared/notices/own-lists.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { checkMayPost } from '#shared/posting/check-post.ts'
import { clientIdOfScheduled, messageOfClientId } from '#shared/posting/client-ids.ts'
import { mentionedIn } from '#shared/posting/mentioned.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Made, madeOnce } from '../../middleware/made-once.ts'
import { limitText } from '../../middleware/rate-limits.ts'
import { countWaiting, deleteScheduled, insertScheduled, lockScheduled, updateScheduled } from './queries.ts'

const MOST_WAITING = 100

export interface ScheduleRequest {
  channel: string
  text: string
  sendTs: Seconds
  replyTo: number | null
  composedFor: string | undefined
  clientId: string | undefined
}

/** Stores a text that the janitor sends at its time (interface 11.5). */
export async function schedule(
  stores: Stores,
  viewer: Username,
  { channel: name, text, sendTs, replyTo, composedFor, clientId }: ScheduleRequest,
): Promise<Made> {
  const channel = await readableChannel(stores, viewer, name)
  if (composedFor !== undefined && (await idOf(stores, viewer, composedFor)) !== channel.id)
    throw errors.coded(409, 'conflict', 'This was written for another channel.')
  await checkMayPost(stores, viewer, channel)
  await limitText(stores, viewer, text, await mentionedIn(stores, viewer, channel, text))
  return madeOnce(stores.db, viewer, '/scheduled', clientId, keep =>
    inOwnList(stores, viewer, channel.id, async tx => {
      await checkRoom(tx, viewer)
      const made = await insertScheduled(tx, viewer, { channel: channel.id, text, replyTo, sendTs })
      const answer = { status: 201, body: made }
      await keep(tx, answer)
      return answer
    }),
  )
}

/** Changes a send that has not left. `now` is the present time for one that leaves at once. */
export async function changeScheduled(
  stores: Stores,
  viewer: Username,
  id: number,
  change: { text: string | undefined; sendTs: Seconds | undefined },
): Promise<void> {
  await inOwnList(stores, viewer, undefined, async tx => {
    const locked = await lockUnsent(tx, viewer, id)
    if (!locked) throw errors.notFound()
    if (locked.state === 'failed' && change.sendTs !== undefined) await checkRoom(tx, viewer)
    if (change.text !== undefined)
      await chargeText({ ...stores, db: tx }, viewer, locked.channel, change.text)
    await updateScheduled(tx, id, change)
  })
}

export async function cancelScheduled(stores: Stores, viewer: Username, id: number): Promise<void> {
  await inOwnList(stores, viewer, undefined, async tx => {
    const locked = await lockUnsent(tx, viewer, id)
    if (locked) await deleteScheduled(tx, id)
  })
}

/** The row, locked; 409 once it was sent, also by a janitor that ended before it stored so. */
async function lockUnsent(tx: Db, viewer: Username, id: number) {
  const locked = await lockScheduled(tx, viewer, id)
  if (!locked) return undefined
  const isSent = locked.state === 'sent' || (await messageOfClientId(tx, viewer, clientIdOfScheduled(id)))
  if (isSent) throw errors.coded(409, 'conflict', 'This message was sent already.')
  return locked
}

async function checkRoom(tx: Db, viewer: Username) {
  if ((await countWaiting(tx, viewer)) >= MOST_WAITING)
    throw errors.coded(409, 'conflict', `At most ${MOST_WAITING} messages wait to be sent.`)
}

/** A channel that the person cannot read is found out at the time of sending. */
async function chargeText(stores: Stores, viewer: Username, name: ChannelId, text: string) {
  const channel = await findReadableChannel(stores, viewer, name)
  if (channel) await limitText(stores, viewer, text, await mentionedIn(stores, viewer, channel, text))
}

async function idOf(stores: Stores, viewer: Username, name: string) {
  return (await findReadableChannel(stores, viewer, name))?.id
}

/** `channel`: that of a new send. */
function inOwnList<T>(
  stores: Stores,
  viewer: Username,
  channel: ChannelId | undefined,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return runTransaction(stores, 'changeScheduled', { users: [viewer] }, async tx => {
    if (channel !== undefined) await lockParticipants(tx, channel)
    if (!(await touchOwnLists(tx, viewer, 'rev'))) throw errors.signedOut()
    if (channel !== undefined) await lockUndeleted(stores, tx, [channel])
    return work(tx)
  })
}
