import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Secret scanners know a token by it. */
const PREFIX = 'bothy_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_BYTES = 32
const BYTES = SECRET_BYTES + 4
/** Of 36 bytes in base62. */
const LENGTH = 49
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${LENGTH}}$`)

/** `bothy_` and, in base62 of 49 digits, 32 random bytes followed by their CRC-32, both as one big-endian number. */
export const newTokenText = (secret = randomBytes(SECRET_BYTES)): string =>
  PREFIX + toBase62(Buffer.concat([secret, checksum(secret)]))

/** True if the checksum is right: a text that nobody made is refused without a query. */
export function isTokenText(text: string): boolean {
  if (!FORM.test(text)) return false
  const bytes = fromBase62(text.slice(PREFIX.length))
  return bytes !== undefined && checksum(bytes.subarray(0, SECRET_BYTES)).equals(bytes.subarray(SECRET_BYTES))
}

/** Tokens are stored and looked up by it. */
export const hashOfToken = (text: string): Buffer => createHash('sha256').update(text).digest()

function checksum(secret: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(secret))
  return sum
}

function toBase62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  while (digits.length < LENGTH) {
    digits = DIGITS[Number(rest % 62n)] + digits
    rest /= 62n
  }
  return digits
}

/** Undefined for a number of more than 36 bytes. */
function fromBase62(digits: string): Buffer | undefined {
  let number = 0n
  for (const digit of digits) number = number * 62n + BigInt(DIGITS.indexOf(digit))
  const hex = number.toString(16).padStart(2 * BYTES, '0')
  return hex.length === 2 * BYTES ? Buffer.from(hex, 'hex') : undefined
}
