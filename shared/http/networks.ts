import { isIPv6 } from 'node:net'

/**
 * The unit by which an address is counted: an IPv4 address itself, the /64 of an IPv6 address, because a subscriber has
 * all addresses of a /64. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) counts as IPv4.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1)
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain
  // The URL parser normalises every spelling of an address.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`
}
