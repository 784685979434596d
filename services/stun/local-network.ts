import { BlockList, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Loopback, private, link-local and shared (RFC 6598: Tailscale and carriers) addresses. */
const LOCAL = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const

/** Matches addresses of the local network: the ranges above, and the present subnets of this machine. */
export function localNetwork(interfaces = networkInterfaces()): (address: string) => boolean {
  const list = new BlockList()
  for (const [net, prefix] of LOCAL) list.addSubnet(net, prefix, family(net))
  for (const { cidr } of Object.values(interfaces).flatMap(addresses => addresses ?? [])) {
    const [net, prefix] = cidr?.split('/') ?? []
    if (net !== undefined) list.addSubnet(net, Number(prefix), family(net))
  }
  return address => list.check(address.split('%', 1)[0]!, family(address))
}

const family = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')
