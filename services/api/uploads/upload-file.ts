import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadPayload } from '#shared/domain/payloads.ts'
import type { Stores } from '#shared/stores/stores.ts'

const MIB = 1024 * 1024
/** Larger parts are no faster, and a broken line loses more. */
const LARGEST_PART = 8 * MIB

export const largestPart = ({ settings }: Stores): number =>
  Math.min(LARGEST_PART, Math.floor(settings.current.max_request_size_mb * MIB))

export const pathOfUpload = ({ files }: Stores, id: string) => join(files.uploads, id)

/** Bytes that are there: the size of the file, which also counts after a crash. */
export async function receivedBytes(stores: Stores, id: string): Promise<number> {
  try {
    return (await stat(pathOfUpload(stores, id))).size
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw err
  }
}

export const uploadPayload = (stores: Stores, size: number, offset: number): UploadPayload => ({
  offset,
  size,
  part_bytes: largestPart(stores),
})
