import { isIP } from 'node:net'
import type ipaddr from 'ipaddr.js'
import { parseAddress } from './public-address.ts'
import type { Settings } from './settings.ts'
import { type Fault, shown } from './variables.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An entry of `preview_allow` or `hooks_allow`. With a port it opens only this port, even one that is closed otherwise. */
interface Entry {
  port: number | undefined
  /** A host in URL spelling, lower case; or all hosts below it, for `*.corp.example`. */
  host?: string
  below?: string
  network?: [Address, number]
}

/**
 * The operator's exceptions: hosts (`wiki.corp.example`, `*.corp.example`), addresses and networks (`10.1.2.3`,
 * `10.0.0.0/8`, `fd00::/8`), hosts and addresses with an optional port (`wiki.corp.example:81`, `[fd00::7]:8080`).
 */
export interface AllowList {
  /** True if connections to this host are allowed at any address. */
  hasHost(host: string, port: number): boolean
  /** True if connections to this address are allowed for any name. */
  hasAddress(address: string, port: number): boolean
  /** True if an entry names this host with this port. */
  opensPort(host: string, port: number): boolean
}

/** Ignores malformed entries: a typing mistake must not open more. */
export function allowListOf(texts: readonly string[]): AllowList {
  const entries = texts.map(readEntry).filter(entry => entry !== undefined)
  const hasHost = (host: string, port: number) =>
    entries.some(entry => isPortOf(entry, port) && isHostOf(entry, host))
  const hasAddress = (text: string, port: number) => {
    const address = parseAddress(text)
    return (
      address !== undefined && entries.some(entry => isPortOf(entry, port) && isAddressOf(entry, address))
    )
  }
  return {
    hasHost,
    hasAddress,
    opensPort: (host, port) => {
      const address = parseAddress(host)
      return entries.some(
        entry => entry.port === port && (isHostOf(entry, host) || (address && isAddressOf(entry, address))),
      )
    },
  }
}

/** Parses an entry; undefined if it is malformed. */
export function readEntry(text: string): Entry | undefined {
  const entry = text.trim().toLowerCase()
  const network = readNetwork(entry)
  if (network) return { port: undefined, network }
  const { host, port } = /^(?<host>.+?)(?::(?<port>\d{1,5}))?$/.exec(entry)?.groups ?? {}
  if (host === undefined || (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)))
    return undefined
  const number = port === undefined ? undefined : Number(port)
  const address = readNetwork(host.replace(/^\[(.*)\]$/, '$1'))
  if (address) return { port: number, network: address }
  const below = host.startsWith('*.')
  const name = hostName(below ? host.slice(2) : host)
  if (name === undefined) return undefined
  return below ? { port: number, below: `.${name}` } : { port: number, host: name }
}

/** Most malformed entries that are listed. */
const MOST_FAULTS = 50

export type AllowSetting = 'preview_allow' | 'hooks_allow'

/** The malformed entries of a setting, for the operator. */
export const faultsOfEntries = (name: AllowSetting, settings: Pick<Settings, AllowSetting>): Fault[] =>
  settings[name]
    .filter(entry => readEntry(entry) === undefined)
    .slice(0, MOST_FAULTS)
    .map(entry => ({
      found: `${name}: "${shown(entry)}" is not usable. Allowed: a host ("wiki.corp.example", "*.corp.example"), an address or a network ("10.0.0.0/8"); hosts and addresses also with a port.`,
      next: 'Correct or remove it: until then it opens nothing.',
    }))

function readNetwork(text: string): [Address, number] | undefined {
  const [base = '', bits, ...more] = text.split('/')
  const address = parseAddress(base)
  if (!address || more.length > 0) return undefined
  const all = address.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return [address, all]
  return /^\d{1,3}$/.test(bits) && Number(bits) <= all ? [address, Number(bits)] : undefined
}

/** The URL parser's spelling, so that both sides of a comparison are normalised alike. */
function hostName(text: string): string | undefined {
  if (/[/?#@\\:*\s]/.test(text) || !URL.canParse(`http://${text}`)) return undefined
  const host = withoutDot(new URL(`http://${text}`).hostname)
  // Rejects addresses in disguise such as `2130706433`: entries use the dotted form.
  return host === '' || isIP(host) ? undefined : host
}

const withoutDot = (host: string) => host.replace(/\.$/, '')
const isPortOf = (entry: Entry, port: number) => entry.port === undefined || entry.port === port
const isHostOf = (entry: Entry, host: string) =>
  withoutDot(host) === entry.host || (entry.below !== undefined && withoutDot(host).endsWith(entry.below))
const isAddressOf = ({ network }: Entry, address: Address) =>
  network !== undefined && network[0].kind() === address.kind() && address.match(network[0], network[1])
