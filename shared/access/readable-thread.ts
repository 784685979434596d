import { type ChannelId, idFrom, type Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { IS_NOT_REMOVED } from './deleted-accounts.ts'
import { findReadableChannel, type ReadableChannel } from './readable-channel.ts'

export interface ReadableThread {
  rootId: number
  channel: ReadableChannel
}

/**
 * Finds the thread of a message, its root or a reply. 404 for unknown ones and those without a message that the viewer may
 * see. The root may be hidden from a late joiner, or removed.
 */
export async function readableThread(
  stores: Stores,
  viewer: Username,
  idText: unknown,
): Promise<ReadableThread> {
  const id = idFrom(idText)
  const place = id === undefined ? undefined : await placeOf(stores, id)
  const channel = place && (await findReadableChannel(stores, viewer, place.channel))
  if (!place || !channel || !(await hasVisible(stores, place.rootId, channel))) throw errors.notFound()
  return { rootId: place.rootId, channel }
}

async function placeOf({ db }: Stores, id: number) {
  const { rows } = await db.query<{ rootId: number; channel: ChannelId }>(
    `select "rootId", channel
       from (select coalesce(thread_id, thread_root(id)) as "rootId", channel, 1 as place
               from messages message
              where id = $1 and ${IS_NOT_REMOVED}
              union all
             (select thread_id, channel, 2
                from messages message
               where thread_id = $1 and ${IS_NOT_REMOVED}
               limit 1)) found
      order by place
      limit 1`,
    [id],
  )
  return rows[0]
}

async function hasVisible({ db }: Stores, rootId: number, { historyStart }: ReadableChannel) {
  if (historyStart <= 0) return true
  const { rows } = await db.query<{ visible: boolean }>(
    `select exists (select from messages where id = $1 and ts >= $2)
         or exists (select from messages where thread_id = $1 and ts >= $2) as visible`,
    [rootId, historyStart],
  )
  return rows[0]!.visible
}
