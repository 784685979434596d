import type { Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { readEverything } from '../account/sign-up/sign-up.ts'
import { markJoined } from '../channels/read-state/read-marker.ts'
import { joinChannels } from './queries.ts'

/** A new account joins these public channels, beside the default ones unless it is a guest; nothing there is unread. */
export async function enterChannels(
  stores: Stores,
  tx: Db,
  { username, role, channels }: { username: Username; role: Role; channels: readonly ChannelId[] },
  now: Seconds,
): Promise<void> {
  await joinChannels(tx, username, channels, now)
  await markJoined(tx, [username], channels)
  if (role !== 'guest') await readEverything(stores, tx, username)
}
