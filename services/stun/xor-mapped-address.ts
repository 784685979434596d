import { isIPv4 } from 'node:net'

/** The attribute of a response (RFC 8489, 14.2). Masked, so that no router «corrects» the address in it. */

const IPV4 = 0x01
const IPV6 = 0x02

/**
 * Returns the attribute's value. `mask` is cookie and transaction id; its first bytes mask the port and the address.
 */
export function xorMappedAddress(address: string, port: number, mask: Buffer): Buffer {
  const plain = addressBytes(address)
  const value = Buffer.alloc(4 + plain.length)
  value[1] = plain.length === 4 ? IPV4 : IPV6
  value.writeUInt16BE(port ^ mask.readUInt16BE(0), 2)
  for (const [i, byte] of plain.entries()) value[4 + i] = byte ^ mask[i]!
  return value
}

/** Parses addresses as sockets write them: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`, `::ffff:192.0.2.1` (IPv4). */
export function addressBytes(address: string): number[] {
  const [text = ''] = address.toLowerCase().split('%', 1)
  if (isIPv4(text)) return text.split('.').map(Number)

  const mapped = /^::ffff:([0-9.]+)$/.exec(text)?.[1]
  if (mapped && isIPv4(mapped)) return addressBytes(mapped)

  const [before = '', after] = text.split('::')
  const head = groups(before)
  const tail = groups(after ?? '')
  const zeros = new Array<number>(8 - head.length - tail.length).fill(0)
  return [...head, ...zeros, ...tail].flatMap(group => [group >> 8, group & 0xff])
}

const groups = (text: string) => (text === '' ? [] : text.split(':').flatMap(group => pair(group)))

/** The last 32 bits may be written as an IPv4 address (RFC 4291, 2.2). */
function pair(group: string): number[] {
  if (!isIPv4(group)) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
