import { crc32 } from 'node:zlib'
import { xorMappedAddress } from './xor-mapped-address.ts'

/** The wire format of STUN messages (RFC 8489) for a basic server: sections 5 to 7, 12 and 14. */

const HEADER = 20
const ATTRIBUTE_HEADER = 4
/** Section 5: «the magic cookie field MUST contain the fixed value 0x2112A442 in network byte order». */
const MAGIC_COOKIE = 0x2112a442

const BINDING_REQUEST = 0x0001
const BINDING_SUCCESS = 0x0101
const BINDING_ERROR = 0x0111

const MESSAGE_INTEGRITY = 0x0008
const ERROR_CODE = 0x0009
const UNKNOWN_ATTRIBUTES = 0x000a
const MESSAGE_INTEGRITY_SHA256 = 0x001c
const XOR_MAPPED_ADDRESS = 0x0020
const FINGERPRINT = 0x8028
/**
 * Section 14.7: the CRC-32 is «XOR'ed with the 32-bit value 0x5354554e», so that it differs from one of the payload.
 */
const FINGERPRINT_XOR = 0x5354554e

/**
 * Attributes from 0x8000 on are optional; an unknown one below causes a refusal (section 14). Known here: the
 * credentials of section 9, which a server without authentication ignores (section 12).
 */
const FIRST_OPTIONAL = 0x8000
const UNDERSTOOD = new Set([
  0x0006, // USERNAME
  MESSAGE_INTEGRITY,
  0x0014, // REALM
  0x0015, // NONCE
  MESSAGE_INTEGRITY_SHA256,
  0x001d, // PASSWORD-ALGORITHM
  0x001e, // USERHASH
])
/** Unknown attributes in a refusal at most (security 9): a long request must not cause a long response. */
const MOST_UNKNOWN = 8

export interface BindingRequest {
  /** Cookie and transaction id: repeated in the response, and the mask of the address. */
  identity: Buffer
  /** True if the request had a (valid) FINGERPRINT; the response then has one. */
  fingerprint: boolean
  /** Unknown mandatory attributes, each once, in order. */
  unknown: number[]
}

/** Parses a binding request; undefined for anything else or malformed, which gets no response. */
export function readBindingRequest(datagram: Buffer): BindingRequest | undefined {
  if (datagram.length < HEADER || datagram.length % 4 !== 0) return undefined
  if (datagram.readUInt16BE(0) !== BINDING_REQUEST) return undefined
  if (datagram.readUInt16BE(2) !== datagram.length - HEADER) return undefined
  if (datagram.readUInt32BE(4) !== MAGIC_COOKIE) return undefined

  const unknown = new Set<number>()
  let fingerprint = false
  let sealed = false
  for (let at = HEADER; at < datagram.length; ) {
    // Section 14.7: FINGERPRINT is the last attribute.
    if (fingerprint) return undefined
    const type = datagram.readUInt16BE(at)
    const length = datagram.readUInt16BE(at + 2)
    const end = at + ATTRIBUTE_HEADER + padded(length)
    if (end > datagram.length) return undefined

    if (type === FINGERPRINT) {
      if (length !== 4 || datagram.readUInt32BE(at + 4) !== fingerprintOf(datagram.subarray(0, at)))
        return undefined
      fingerprint = true
    } else if (!sealed && type < FIRST_OPTIONAL && !UNDERSTOOD.has(type)) {
      unknown.add(type)
    }
    // Sections 14.5, 14.6: attributes after an integrity attribute are ignored, except FINGERPRINT.
    if (type === MESSAGE_INTEGRITY || type === MESSAGE_INTEGRITY_SHA256) sealed = true
    at = end
  }
  return { identity: datagram.subarray(4, HEADER), fingerprint, unknown: [...unknown] }
}

/** The response to a request: its source address, or 420 (section 6.3.1). Minimal. */
export function answerTo(request: BindingRequest, address: string, port: number): Buffer {
  if (request.unknown.length === 0) {
    return message(BINDING_SUCCESS, request, [
      attribute(XOR_MAPPED_ADDRESS, xorMappedAddress(address, port, request.identity)),
    ])
  }
  return message(BINDING_ERROR, request, [unknownAttributeError(), unknownAttributes(request.unknown)])
}

function message(type: number, request: BindingRequest, attributes: Buffer[]): Buffer {
  const parts = [Buffer.alloc(4), request.identity, ...attributes]
  const length = attributes.reduce((sum, part) => sum + part.length, 0) + (request.fingerprint ? 8 : 0)
  parts[0]!.writeUInt16BE(type, 0)
  parts[0]!.writeUInt16BE(length, 2)
  if (!request.fingerprint) return Buffer.concat(parts)

  const value = Buffer.alloc(4)
  value.writeUInt32BE(fingerprintOf(Buffer.concat(parts)))
  return Buffer.concat([...parts, attribute(FINGERPRINT, value)])
}

/** Type, length, value, zero padding to a multiple of four (section 14). */
function attribute(type: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(ATTRIBUTE_HEADER + padded(value.length))
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(value.length, 2)
  value.copy(bytes, ATTRIBUTE_HEADER)
  return bytes
}

/** Covers all bytes before the attribute; the length in the header includes the attribute (section 14.7). */
const fingerprintOf = (bytes: Buffer): number => (crc32(bytes) ^ FINGERPRINT_XOR) >>> 0

/** Class 4, number 20 (section 14.8). The reason phrase may be empty. */
const unknownAttributeError = () => attribute(ERROR_CODE, Buffer.from([0, 0, 4, 20]))

function unknownAttributes(types: number[]): Buffer {
  const value = Buffer.alloc(2 * Math.min(types.length, MOST_UNKNOWN))
  types.slice(0, MOST_UNKNOWN).forEach((type, i) => {
    value.writeUInt16BE(type, 2 * i)
  })
  return attribute(UNKNOWN_ATTRIBUTES, value)
}

const padded = (length: number) => (length + 3) & ~3
