import { basename, dirname, resolve } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { BucketPlace } from './bucket-place.ts'
import { FolderPlace } from './folder-place.ts'
import type { Place } from './place.ts'

/** A place by its address: `s3://bucket/prefix?endpoint=…`, or a path. */
export const openPlace = (address: string): Place =>
  address.startsWith('s3:') ? new BucketPlace(address) : new FolderPlace(resolve(ROOT, address))

/** The place of a backup, and its name there. */
export function backupAt(address: string): { place: Place; name: string } {
  if (!address.startsWith('s3:')) {
    const path = resolve(address)
    return { place: openPlace(dirname(path)), name: basename(path) }
  }
  const [path = '', query] = address.split('?', 2)
  const at = path.replace(/\/+$/, '')
  const place = at.slice(0, at.lastIndexOf('/'))
  return {
    place: openPlace(query === undefined ? place : `${place}?${query}`),
    name: at.slice(at.lastIndexOf('/') + 1),
  }
}
