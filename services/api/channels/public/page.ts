import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type ChannelFilter, type FoundChannel, findPublicChannels } from './queries.ts'

/** A page of public channels; `last`: its last one, if there are more. */
export async function publicChannelPage(
  stores: Stores,
  viewer: Username,
  filter: ChannelFilter,
): Promise<{ page: FoundChannel[]; last: FoundChannel | undefined }> {
  const { limit } = filter
  const found = await findPublicChannels(stores, viewer, { ...filter, limit: limit + 1 })
  const page = found.slice(0, limit)
  return { page, last: found.length > limit ? page.at(-1) : undefined }
}
