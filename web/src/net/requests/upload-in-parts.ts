/** Uploads of large files in parts, which continue after an interruption (interface 13.1). */
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { cancelUpload, request, upload, whole } from './endpoints.ts'
import { Failure, tolerateFailure } from './failure.ts'
import type { Underway } from './upload.ts'

const KIB = 1024
const FIRST_PART = 256 * KIB
const SMALLEST_PART = 64 * KIB
/** Parts grow while they take less than `FAST`, and shrink when they take longer than `SLOW`. */
const FAST: Milliseconds = 5_000
const SLOW: Milliseconds = 10_000
/** The server knows less or more than this page: another tab uploads, or the upload was removed. */
const MOST_DISAGREEMENTS = 5

/**
 * Uploads the file under this id, from where the server has it. An abort by the user removes it from the server; after a
 * time-out it stays, and the next call continues.
 */
export async function uploadInParts(id: string, file: File, underway: Underway): Promise<void> {
  const { signal } = underway
  try {
    await sendParts(id, file, underway)
  } catch (error) {
    const isCancelled = signal.aborted && signal.reason?.name !== 'TimeoutError'
    if (isCancelled) void cancelUpload(id).catch(tolerateFailure)
    throw error
  }
}

async function sendParts(id: string, file: File, { signal, onProgress }: Underway) {
  let known = await begin(id, file, signal)
  let size = FIRST_PART
  let disagreements = 0
  while (known.offset < file.size) {
    const { offset } = known
    onProgress(offset / file.size)
    const part = file.slice(offset, offset + Math.min(size, known.part_bytes))
    const began = performance.now()
    try {
      known = await append(id, offset, part, {
        signal,
        onProgress: share => onProgress((offset + share * part.size) / file.size),
      })
      size = nextSize(size, performance.now() - began, known.part_bytes)
    } catch (error) {
      if (!isDisagreement(error) || ++disagreements > MOST_DISAGREEMENTS) throw error
      known = await begin(id, file, signal)
    }
  }
}

/** Exported for its test. */
export function nextSize(size: number, took: Milliseconds, most: number): number {
  if (took < FAST) return Math.min(size * 2, most)
  return took > SLOW ? Math.max(size / 2, SMALLEST_PART) : size
}

const isDisagreement = (error: unknown) =>
  error instanceof Failure && (error.status === 404 || error.status === 409)

async function begin(id: string, file: File, signal: AbortSignal): Promise<UploadPayload> {
  const response = await request(`/uploads/${id}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: file.name || 'file', size: file.size }),
    signal,
  })
  return whole(response.json())
}

async function append(id: string, offset: number, part: Blob, underway: Underway): Promise<UploadPayload> {
  const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/octet-stream' }
  const response = await upload(`/uploads/${id}`, { method: 'PATCH', body: part, headers }, underway)
  return whole(response.json())
}
