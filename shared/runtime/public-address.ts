import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export interface SpecialRange {
  network: string
  rfc: string
  what: string
}

/**
 * Ranges outside the public internet: IANA's special-purpose registries (RFC 6890) and addresses of cloud providers.
 * The table documents and tests the check below; the check itself lists what is public, so a range missing here is not
 * open.
 */
export const SPECIAL_RANGES: readonly SpecialRange[] = [
  {
    network: '0.0.0.0/8',
    rfc: 'RFC 791',
    what: 'This network; 0.0.0.0 is the machine itself on most systems.',
  },
  { network: '10.0.0.0/8', rfc: 'RFC 1918', what: 'Private networks.' },
  {
    network: '100.64.0.0/10',
    rfc: 'RFC 6598',
    what: 'Behind a carrier; also Tailscale and metadata of some clouds.',
  },
  { network: '127.0.0.0/8', rfc: 'RFC 1122', what: 'The machine itself.' },
  {
    network: '168.63.129.16/32',
    rfc: 'Azure',
    what: 'The host under a virtual machine at Azure, in a public spelling.',
  },
  { network: '169.254.0.0/16', rfc: 'RFC 3927', what: 'Link-local; the metadata of nearly every cloud.' },
  { network: '172.16.0.0/12', rfc: 'RFC 1918', what: 'Private networks, containers among them.' },
  {
    network: '192.0.0.0/24',
    rfc: 'RFC 6890',
    what: 'Protocol assignments: DS-Lite, PCP and NAT64 discovery.',
  },
  { network: '192.0.2.0/24', rfc: 'RFC 5737', what: 'Documentation.' },
  { network: '192.31.196.0/24', rfc: 'RFC 7535', what: 'AS112: a name server nearby, no page.' },
  { network: '192.52.193.0/24', rfc: 'RFC 7450', what: 'Multicast tunnels: a relay nearby.' },
  { network: '192.88.99.0/24', rfc: 'RFC 7526', what: 'Relays of 6to4, given up.' },
  { network: '192.168.0.0/16', rfc: 'RFC 1918', what: 'Private networks.' },
  { network: '192.175.48.0/24', rfc: 'RFC 7534', what: 'AS112: a name server nearby, no page.' },
  { network: '198.18.0.0/15', rfc: 'RFC 2544', what: 'Measurements between devices.' },
  { network: '198.51.100.0/24', rfc: 'RFC 5737', what: 'Documentation.' },
  { network: '203.0.113.0/24', rfc: 'RFC 5737', what: 'Documentation.' },
  { network: '224.0.0.0/4', rfc: 'RFC 5771', what: 'Multicast.' },
  { network: '240.0.0.0/4', rfc: 'RFC 1112', what: 'Reserved.' },
  { network: '255.255.255.255/32', rfc: 'RFC 919', what: 'Everybody on this link.' },

  { network: '::/128', rfc: 'RFC 4291', what: 'No address; the machine itself when connected to.' },
  { network: '::1/128', rfc: 'RFC 4291', what: 'The machine itself.' },
  {
    network: '::/96',
    rfc: 'RFC 4291',
    what: 'IPv4-compatible: an IPv4 address in the last 32 bits, given up.',
  },
  {
    network: '::ffff:0:0/96',
    rfc: 'RFC 4291',
    what: 'IPv4-mapped: sockets take it for the IPv4 address inside.',
  },
  { network: '::ffff:0:0:0/96', rfc: 'RFC 2765', what: 'IPv4-translated: an IPv4 address for a translator.' },
  {
    network: '64:ff9b::/96',
    rfc: 'RFC 6052',
    what: 'NAT64: leads to the IPv4 address inside, private ones too.',
  },
  { network: '64:ff9b:1::/48', rfc: 'RFC 8215', what: 'NAT64 of a site of its own.' },
  { network: '100::/64', rfc: 'RFC 6666', what: 'Thrown away.' },
  { network: '100:0:0:1::/64', rfc: 'RFC 9780', what: 'A prefix that means nothing.' },
  {
    network: '2001::/23',
    rfc: 'RFC 2928',
    what: 'Protocol assignments, all of the following seven among them.',
  },
  { network: '2001::/32', rfc: 'RFC 4380', what: 'Teredo: an IPv4 address inside, turned about.' },
  { network: '2001:2::/48', rfc: 'RFC 5180', what: 'Measurements between devices.' },
  { network: '2001:3::/32', rfc: 'RFC 7450', what: 'Multicast tunnels: a relay nearby.' },
  { network: '2001:4:112::/48', rfc: 'RFC 7535', what: 'AS112: a name server nearby, no page.' },
  { network: '2001:10::/28', rfc: 'RFC 4843', what: 'ORCHID, given up.' },
  { network: '2001:20::/28', rfc: 'RFC 7343', what: 'ORCHIDv2: names of hosts, not places.' },
  { network: '2001:30::/28', rfc: 'RFC 9374', what: 'Tags of drones.' },
  { network: '2001:db8::/32', rfc: 'RFC 3849', what: 'Documentation.' },
  { network: '2002::/16', rfc: 'RFC 3056', what: '6to4: leads to the IPv4 address inside.' },
  { network: '2620:4f:8000::/48', rfc: 'RFC 7534', what: 'AS112: a name server nearby, no page.' },
  { network: '3fff::/20', rfc: 'RFC 9637', what: 'Documentation.' },
  { network: '5f00::/16', rfc: 'RFC 9602', what: 'Segments of routing.' },
  { network: 'fc00::/7', rfc: 'RFC 4193', what: 'Private networks; metadata of AWS.' },
  { network: 'fe80::/10', rfc: 'RFC 4291', what: 'Link-local.' },
  { network: 'fec0::/10', rfc: 'RFC 3879', what: 'Site-local, given up.' },
  { network: 'ff00::/8', rfc: 'RFC 4291', what: 'Multicast.' },
]

/** All IPv6 allocated to the public internet today (RFC 4291, section 2.4). ipaddr.js calls more `unicast`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's host service: in a public range, but reachable from inside only; no library knows it. */
const PUBLIC_IN_NAME_ONLY = ['168.63.129.16']

/** True for addresses on the public internet, in the usual spelling; false for anything else. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_IPV6)
  return !PUBLIC_IN_NAME_ONLY.includes(address.toString())
}

/**
 * Parses an address in the spelling of resolvers and sockets. Rejects other forms that ipaddr.js accepts (octal and hex
 * parts, short forms), and zones (RFC 4007), which name an interface of this machine.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  return ipaddr.parse(text)
}

/**
 * True for this machine and for addresses on its links. In offices with IPv6 every desk and printer has a public
 * address, which strangers must not reach through previews.
 */
export function isNeighbour(text: string, interfaces = networkInterfaces()): boolean {
  const address = parseAddress(text)
  if (address === undefined) return false
  for (const { cidr } of Object.values(interfaces).flatMap(addresses => addresses ?? [])) {
    // Skips /0, the prefix of a tunnel that takes all traffic.
    if (cidr === null || cidr.endsWith('/0')) continue
    const [network, bits] = ipaddr.parseCIDR(cidr)
    if (network.kind() === address.kind() && address.match(network, bits)) return true
  }
  return false
}
