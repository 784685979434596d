import { openFileBucket } from './file-bucket.ts'
import { openFileFolder } from './file-folder.ts'
import type { FileStore } from './file-store.ts'

export type { ByteRange, FileStore, StoredFile, UploadsInParts } from './file-store.ts'

/** `file:///…` is a folder, `s3://…` a bucket (bucket-address.ts). */
export const openFileStore = (filesUrl: string): Promise<FileStore> =>
  filesUrl.startsWith('s3:') ? openFileBucket(filesUrl) : openFileFolder(filesUrl)
