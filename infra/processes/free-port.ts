import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports of outgoing connections, which take one before the process that was given it listens. */
const [LOWEST, HIGHEST] = [20_000, 32_000]

/** The next one to try: a port that was given may not be listened on yet, so that none is given twice in a row. */
let next = randomInt(LOWEST, HIGHEST)

/** Returns a TCP port of 127.0.0.1 that is free at this moment; another process may take it before it is used. */
export const freePort = (): Promise<number> => freePorts(1)

/** Returns the first of `count` consecutive ports that are free at this moment. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    if (next + count > HIGHEST) next = LOWEST
    const first = next
    next += count
    const servers = Array.from({ length: count }, () => createServer())
    try {
      for (const [i, server] of servers.entries()) {
        server.listen(first + i, '127.0.0.1')
        await once(server, 'listening')
      }
      return first
    } catch {
      // A port is taken: the next ones are tried.
    } finally {
      await Promise.all(servers.map(server => new Promise(closed => server.close(closed))))
    }
  }
}
