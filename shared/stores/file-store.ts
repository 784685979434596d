import type { Readable } from 'node:stream'
import type { Seconds } from '#shared/domain/units.ts'

/** The store of uploaded files: a folder or a bucket. Names are generated and contain no path. */
export interface FileStore {
  /** Folder of this machine for uploads in progress. */
  readonly incoming: string
  readonly uploads: UploadsInParts
  /** Moves a finished file from `incoming` to its stored name; as durable as the store on return. */
  keep(path: string, name: string): Promise<void>
  /** Stores a file under a further name and leaves it where it is; as durable as the store on return. */
  keepCopy(path: string, name: string): Promise<void>
  /** Stores a stored file under a further name. Throws ENOENT if it is gone. */
  copy(name: string, newName: string): Promise<void>
  /** Stores bytes atomically under a name; as durable as the store on return. */
  put(bytes: Uint8Array, name: string): Promise<void>
  size(name: string): Promise<number | undefined>
  /** The content, opened: a removal does not cut it off. Undefined if the file is not there. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes a file and its thumbnails. */
  remove(name: string): Promise<void>
  /** All stored files, unordered; those with foreign names are left out (domain/file-names.ts). */
  list(): AsyncIterable<StoredFile>
  /** Removes uploads abandoned before this time; returns their number. */
  removeIncoming(before: Seconds): Promise<number>
}

/** The bytes of uploads in parts, by id. They survive a restart, and every process sees them. */
export interface UploadsInParts {
  /** Bytes that are there, from the first one on: also after a crash. */
  received(id: string): Promise<number>
  /** Appends the file `part`, which may be gone afterwards. The caller holds the lock of the upload. */
  append(id: string, part: string, offset: number): Promise<void>
  /** As durable as the store on return; throws 404 if the upload was cancelled. */
  sync(id: string): Promise<void>
  /** A file with all the bytes. `isCopy`: a file of its own in `incoming`, which the caller removes. */
  whole(id: string): Promise<{ path: string; isCopy: boolean }>
  remove(id: string): Promise<void>
  /** The uploads that have bytes, unordered; the name is the id. */
  list(): AsyncIterable<StoredFile>
}

export interface StoredFile {
  name: string
  size: number
  /** Time of storage. */
  ts: Seconds
}

/** Both ends belong to it. */
export interface ByteRange {
  start: number
  end: number
}
