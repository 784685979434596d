import { randomUUID } from 'node:crypto'
import { findReadableFile } from '#shared/access/readable-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { imageSizeOf } from '#shared/domain/uploads.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { NewFile } from '#shared/posting/files.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Length of the UUID that begins a stored name. */
const UUID = 32

/** Stores a file that the person can read under a new name; counts as an upload by them. */
export async function copyFile(
  stores: Stores,
  viewer: Username,
  name: string,
  hasRoom: (bytes: number) => Promise<boolean>,
): Promise<NewFile> {
  const file = await findReadableFile(stores, viewer, name)
  const bytes = file && (await stores.files.size(name))
  if (!file || bytes === undefined) throw errors.notFound()
  await rateLimits(stores)(['files', viewer, Math.ceil(bytes / 1024)])
  // Where the file system has no links, the copy takes as much room.
  if (!(await hasRoom(bytes))) throw errors.storageFull()
  const copied = copiedName(name)
  try {
    await stores.files.copy(name, copied)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT' && (await stores.files.size(name)) === undefined)
      throw errors.notFound()
    throw err
  }
  return { name: copied, originalName: file.originalName, bytes, type: file.type, ...imageSizeOf(name) }
}

/** The same name with another UUID, which keeps the bits that tell the size of an image (`imageName`). */
function copiedName(name: string): string {
  const random = randomUUID().replaceAll('-', '')
  const kept = imageSizeOf(name)
    ? `${name.slice(0, 8)}${random.slice(8, 12)}${name.slice(12, 14)}`
    : random.slice(0, 14)
  return `${kept}${random.slice(14)}${name.slice(UUID)}`
}
