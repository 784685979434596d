import { crc32 } from 'node:zlib'

/** Turns a still PNG into an animated one, whose frames are all the same picture. */
export function animatedPng(still: Buffer, frames: number): Buffer {
  const chunks = chunksOf(still)
  const header = chunks.find(({ type }) => type === 'IHDR')!.data
  const pixels = Buffer.concat(chunks.flatMap(({ type, data }) => (type === 'IDAT' ? [data] : [])))
  let sequence = 0
  const control = () => {
    const data = Buffer.alloc(26)
    data.writeUInt32BE(sequence++, 0)
    header.copy(data, 4, 0, 8)
    data.writeUInt16BE(1, 20)
    data.writeUInt16BE(10, 22)
    return chunk('fcTL', data)
  }
  const parts = [still.subarray(0, 8), chunk('IHDR', header), chunk('acTL', bytesOf(frames, 0))]
  parts.push(control(), chunk('IDAT', pixels))
  for (let frame = 1; frame < frames; frame++)
    parts.push(control(), chunk('fdAT', Buffer.concat([bytesOf(sequence++), pixels])))
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))])
}

function bytesOf(...values: number[]): Buffer {
  const data = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) data.writeUInt32BE(value, 4 * at)
  return data
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([bytesOf(data.length), body, bytesOf(crc32(body))])
}

function chunksOf(png: Buffer) {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    })
    at += 12 + length
  }
  return chunks
}
