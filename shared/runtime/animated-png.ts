import { open } from 'node:fs/promises'

const SIGNATURE_BYTES = 8
/** Length and type; a checksum of four bytes follows the data. */
const HEAD_BYTES = 8
/** Chunks before the first pixels; real files have about ten. */
const MOST_CHUNKS = 100

type Read = (position: number, bytes: number) => Promise<Buffer>

/** Returns the number of frames that a PNG declares (W3C PNG, third edition, 11.3.6.1), which libvips ignores. */
export async function framesOfPng(source: string | Buffer): Promise<number> {
  if (typeof source !== 'string')
    return declaredFrames(async (position, bytes) => source.subarray(position, position + bytes))
  const file = await open(source, 'r')
  try {
    return await declaredFrames(async (position, length) => {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(length), position })
      return buffer.subarray(0, bytesRead)
    })
  } finally {
    await file.close()
  }
}

async function declaredFrames(read: Read): Promise<number> {
  let at = SIGNATURE_BYTES
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk++) {
    const head = await read(at, HEAD_BYTES + 4)
    if (head.length < HEAD_BYTES + 4) break
    const type = head.toString('latin1', 4, HEAD_BYTES)
    if (type === 'acTL') return Math.max(head.readUInt32BE(HEAD_BYTES), 1)
    if (type === 'IDAT') break
    at += HEAD_BYTES + head.readUInt32BE(0) + 4
  }
  return 1
}
