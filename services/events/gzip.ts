import { constants, crc32, deflateRawSync } from 'node:zlib'

/**
 * A gzip body (RFC 1952) of independent blocks: no block refers to earlier bytes, and each ends on a byte boundary. The
 * same block therefore fits every stream, and a decoder emits it as soon as it has arrived. The final checksum is
 * combined from those of the blocks.
 */

/** Method deflate, no flags, no time, unknown system. */
export const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

export interface Block {
  bytes: Buffer
  /** CRC-32 and length of the decoded data. */
  crc: number
  length: number
  /** x^(8·length) modulo the polynomial: shifts a checksum past this block. */
  shift: number
}

/** Uncompressed, in pieces of at most 65,535 bytes. */
export function storedBlock(data: Buffer): Block {
  const parts: Buffer[] = []
  for (let i = 0; i < data.length; i += MOST_STORED) {
    const part = data.subarray(i, i + MOST_STORED)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(~part.length & 0xffff, 3)
    parts.push(head, part)
  }
  return block(Buffer.concat(parts), data)
}

const MOST_STORED = 65_535
/** Bytes from which a faster level is used: deflating 100 KB would block the other streams for milliseconds. */
const LARGE = 32 * 1024

export function deflatedBlock(data: Buffer): Block {
  const level = data.length > LARGE ? 3 : 6
  // A window no larger than the data: its setup costs more than deflating a short text.
  const windowBits = Math.min(15, Math.max(9, 32 - Math.clz32(data.length)))
  const memLevel = data.length > 4096 ? 8 : 4
  const finishFlush = constants.Z_FULL_FLUSH
  return block(deflateRawSync(data, { level, windowBits, memLevel, finishFlush }), data)
}

function block(bytes: Buffer, data: Buffer): Block {
  return { bytes, crc: crc32(data), length: data.length, shift: shiftOf(data.length) }
}

/** Checksum and length of a body's decoded data until now. */
export interface Sum {
  crc: number
  length: number
}

export function addTo(sum: Sum, { crc, length, shift }: Block) {
  sum.crc = multiply(sum.crc, shift) ^ crc
  sum.length = (sum.length + length) >>> 0
}

/** An empty last block, the checksum and the length. */
export function gzipTail({ crc, length }: Sum): Buffer {
  const tail = Buffer.from([0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0])
  tail.writeUInt32LE(crc >>> 0, 2)
  tail.writeUInt32LE(length, 6)
  return tail
}

// CRC-32 is the remainder of a polynomial over GF(2). Bit 31 is the coefficient of x^0, as in the checksum itself.

const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000

function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= b
    b = b & 1 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1
  }
  return product
}

/** x^8, x^16, x^32, …: each the square of the one before. */
const POWERS = [ONE >>> 8]
while (POWERS.length < 32) POWERS.push(multiply(POWERS.at(-1)!, POWERS.at(-1)!))

function shiftOf(length: number): number {
  let shift = ONE
  for (let i = 0, left = length; left > 0; i++, left >>>= 1) {
    if (left & 1) shift = multiply(shift, POWERS[i]!)
  }
  return shift
}
