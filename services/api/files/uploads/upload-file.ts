import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { atOnce } from '../../middleware/at-once.ts'
import { freeSpace } from '../../middleware/free-space.ts'
import { perStores } from '../../middleware/per-stores.ts'

const MIB = 1024 * 1024
/** Larger parts are no faster, and a broken line loses more. */
const LARGEST_PART = 8 * MIB
/** Parts in progress per user and process. */
const MOST_AT_ONCE = 4

export const room = perStores(freeSpace)
export const partsAtOnce = perStores(stores => atOnce(stores, MOST_AT_ONCE))

export const largestPart = ({ settings }: Stores): number =>
  Math.min(LARGEST_PART, Math.floor(settings.current.max_request_size_mb * MIB))

export const uploadPayload = (stores: Stores, size: number, offset: number): UploadPayload => ({
  offset,
  size,
  part_bytes: largestPart(stores),
})
