import type { ChannelId, Username } from '#shared/domain/units.ts'
import { OF_OWN_CHANNELS, OF_READABLE_CHANNELS } from '#shared/notices/invalidations.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { markJoined } from '../read-state/read-marker.ts'
import { clearTyping } from '../typing.ts'
import { archivedError, lockedPublicChannel } from './locked-channel.ts'
import { decide } from './queries.ts'

/** Nothing is unread afterwards. Joining again changes nothing. */
export async function join(stores: Stores, viewer: Username, text: unknown): Promise<void> {
  await runTransaction(stores, 'join', scopeOf(viewer), async tx => {
    const channel = await lockedPublicChannel(stores, tx, viewer, text)
    if (channel.isArchived) throw archivedError()
    const { id, isConfigured } = channel
    const [joiner] = await decide(tx, id, [viewer], true, isConfigured)
    if (joiner === undefined) return unchanged
    await markJoined(tx, [viewer], [id])
    return { id, isGuest: false }
  })
}

/** Joins in a transaction of the caller, who has checked access and publishes the notice. False if nothing changed. */
export async function joinWithin(
  { settings }: Stores,
  tx: Db,
  joiner: Username,
  channel: ChannelId,
): Promise<boolean> {
  const [joined] = await decide(tx, channel, [joiner], true, settings.current.channels.includes(channel))
  if (joined === undefined) return false
  await markJoined(tx, [joiner], [channel])
  return true
}

/** Members may come back at any time; a guest only when added again. */
export async function leave(stores: Stores, viewer: Username, text: unknown): Promise<void> {
  const left = await runTransaction<Decided | typeof unchanged>(
    stores,
    'leave',
    scopeOf(viewer),
    async tx => {
      const { id, role, isConfigured } = await lockedPublicChannel(stores, tx, viewer, text)
      const [leaver] = await decide(tx, id, [viewer], false, isConfigured)
      if (leaver === undefined) return unchanged
      return { id, isGuest: role === 'guest' }
    },
  )
  if (left !== unchanged) await clearTyping(stores, viewer, left.id)
}

interface Decided {
  id: ChannelId
  /** Others see whether a guest is in the channel. */
  isGuest: boolean
}

const scopeOf =
  (viewer: Username) =>
  ({ id: channel, isGuest }: Decided) => ({
    channel,
    ...(isGuest ? {} : { users: [viewer] }),
    besides: [{ collections: isGuest ? OF_READABLE_CHANNELS : OF_OWN_CHANNELS, users: [viewer] }],
  })
