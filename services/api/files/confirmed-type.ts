import { type FileHandle, open } from 'node:fs/promises'
import { HEAD_BYTES, hasSignature, isInline, typeOfName, UNKNOWN_TYPE } from '#shared/domain/file-types.ts'

/**
 * Returns the type that the name of a file promises. A type that browsers show in place must have its signature, else
 * the type is unknown. Images are unknown: those that can be shown are stored before.
 */
export async function confirmedType(path: string, originalName: string): Promise<string> {
  const type = typeOfName(originalName)
  if (!isInline(type)) return type
  const file = await open(path, 'r')
  try {
    if (!hasSignature(type, await read(file, 0, HEAD_BYTES))) return UNKNOWN_TYPE
    if (type !== 'video/quicktime') return type
    // Browsers play these films under the name of their successor.
    return (await hasH264(file)) ? 'video/mp4' : 'application/octet-stream'
  } finally {
    await file.close()
  }
}

const MOST_BOXES = 64
/** The table of codecs is near the beginning of the index of a film. */
const MOST_OF_INDEX = 1024 * 1024

/** Looks for the codec in the index of a QuickTime film (box `moov`), which may stand behind its content. */
async function hasH264(file: FileHandle): Promise<boolean> {
  const { size: end } = await file.stat()
  // A box may claim any size, also one that no position can have.
  for (let at = 0, boxes = 0; at < end && boxes < MOST_BOXES; boxes++) {
    const head = await read(file, at, 16)
    if (head.length < 16) return false
    const short = head.readUInt32BE(0)
    const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short
    if (head.toString('latin1', 4, 8) === 'moov') {
      const index = await read(file, at, Math.min(size || MOST_OF_INDEX, MOST_OF_INDEX))
      return index.includes('avc1') || index.includes('avc3')
    }
    if (size < 8) return false
    at += size
  }
  return false
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read({ buffer, position, length })
  return buffer.subarray(0, bytesRead)
}
