import { networkInterfaces } from 'node:os'
import { isLocal, isThisMachine } from '#shared/domain/own-network.ts'

/** Networks of containers and virtual machines, and tunnels: people of the office are not in them. */
const VIRTUAL =
  /^(docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|cali|podman|lxc|tun|tap|utun|wg|tailscale|zt)/

/**
 * The host under which other machines reach what listens at `listensOn`: that itself, or of all addresses (0.0.0.0, ::) an
 * IPv4 address of this machine, best a private one. Undefined if nothing is known or only this machine reaches it.
 */
export function officeHost(
  listensOn: string | undefined,
  interfaces = networkInterfaces(),
): string | undefined {
  if (listensOn === undefined || listensOn === '::1' || isThisMachine(listensOn)) return undefined
  if (listensOn !== '0.0.0.0' && listensOn !== '::')
    return listensOn.includes(':') ? `[${listensOn}]` : listensOn
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL.test(name))
    .flatMap(([, list]) => list ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
    )
    .map(({ address }) => address)
  return addresses.find(isLocal) ?? addresses[0]
}
