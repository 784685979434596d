import type { Readable } from 'node:stream'

/** Where the backups of an office are: a folder or a bucket. Paths within have slashes, as in `layout.ts`. */
export interface Place {
  /** As operators name it. */
  readonly address: string
  /** The folder; a bucket has no room for hooks. */
  readonly folder: string | undefined
  addressOf(backup: string): string
  /** Why no backups can be kept here, in a sentence. */
  problem(): Promise<string | undefined>
  /** Makes the folder, and removes what killed backups left. */
  prepare(): Promise<void>
  /** Names of the complete backups, newest first. */
  backups(): Promise<string[]>
  /** Bytes; undefined without a limit. */
  freeSpace(): Promise<number | undefined>
  /** Names of the files whose paths begin so; empty without any. */
  namesIn(folder: string): Promise<string[]>
  has(path: string): Promise<boolean>
  /** Throws BackupFault if there is no such file. */
  read(path: string): Promise<Readable>
  /** Stores a file: readers see all of it or nothing. As durable as the place on return. */
  write(path: string, bytes: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void>
  remove(path: string): Promise<void>
  /** Where the parts of a backup are written until it is complete. */
  begin(backup: string): Promise<string>
  /** Makes a backup one that `backups` names, after everything else of it. Throws if one of these files is not there. */
  complete(backup: string, manifest: string, checksum: string, paths: readonly string[]): Promise<void>
  /** Removes a backup, complete or not, but not its files; no moment shows half of it as a whole one. */
  removeBackup(backup: string): Promise<void>
}
