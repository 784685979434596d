import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Per query and server; two tries fit into the connection time-out. */
const ANSWER_WITHIN: Milliseconds = 1_000

/** Errors that mean the name does not exist, as opposed to a failing name server. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

export interface NameResolver {
  lookup: LookupFunction
  close(): void
}

/**
 * Resolves names by direct DNS queries, with the signature of `dns.lookup`.
 *
 * `dns.lookup` holds one of the process's few threads until the system gives up, ten seconds or more. An attacker's
 * silent name server and a handful of links to it would stop all look-ups, and gzip with them.
 */
export function openNameResolver(servers?: readonly string[]): NameResolver {
  const resolver = new Resolver({ timeout: ANSWER_WITHIN, tries: 2 })
  if (servers) resolver.setServers(servers)
  return {
    lookup(host, options, callback) {
      addressesOf(resolver, host).then(
        ([first, ...more]) =>
          options.all ? callback(null, [first, ...more]) : callback(null, first.address, first.family),
        (err: NodeJS.ErrnoException) => callback(err, []),
      )
    },
    close: () => resolver.cancel(),
  }
}

async function addressesOf(resolver: Resolver, host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const [first, ...more] = answers.flatMap((answer, index): LookupAddress[] =>
    answer.status === 'fulfilled'
      ? answer.value.map(address => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  )
  if (first) return [first, ...more]
  const faults = answers.map(answer => (answer.status === 'rejected' ? answer.reason : undefined))
  // "No such name" counts only if no query failed for another reason.
  throw faults.find(fault => !NO_SUCH_NAME.has(fault?.code)) ?? faults[0]
}
