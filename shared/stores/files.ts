import { ConfigurationError } from '#shared/runtime/config.ts'
import { reasonOf, unusable } from '#shared/runtime/variables.ts'
import { openFileBucket } from './file-bucket.ts'
import { openFileFolder } from './file-folder.ts'
import type { FileStore } from './file-store.ts'

export type { ByteRange, FileStore, StoredFile, UploadsInParts } from './file-store.ts'

/** `file:///…` is a folder, `s3://…` a bucket (bucket-address.ts). */
export async function openFileStore(filesUrl: string): Promise<FileStore> {
  if (filesUrl.startsWith('s3:')) return openFileBucket(filesUrl)
  try {
    return await openFileFolder(filesUrl)
  } catch (err) {
    throw new ConfigurationError([
      unusable(
        'FILES_URL',
        filesUrl,
        `the folder cannot be used (${reasonOf(err)})`,
        'Mount its disk, or give the folder to the account of the processes.',
      ),
    ])
  }
}
