/** A proxy in front of PostgreSQL that counts statements. */
import { connect, createServer, type Server } from 'node:net'

export interface CountingProxy {
  /** The database's address through the proxy. */
  url: string
  statements(): number
  close(): void
}

export async function countingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl)
  let statements = 0
  const server = createServer(client => {
    const database = connect(Number(target.port || 5432), target.hostname)
    const count = counter(() => statements++)
    client.on('data', bytes => count(bytes as Buffer))
    client.pipe(database).pipe(client)
    for (const socket of [client, database]) {
      socket.setNoDelay()
      socket.on('error', () => socket.destroy())
      socket.once('close', () => {
        client.destroy()
        database.destroy()
      })
    }
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(await listening(server))
  return { url: url.href, statements: () => statements, close: () => server.close() }
}

const QUERY = 'Q'.charCodeAt(0)
const EXECUTE = 'E'.charCodeAt(0)

/** Frontend messages are a type, a length and a body; the first has no type (PostgreSQL, 54.2.1, Start-up). */
function counter(found: () => void) {
  let rest = Buffer.alloc(0)
  let isFirst = true
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const typeSize = isFirst ? 0 : 1
      if (rest.length < typeSize + 4) return
      const size = typeSize + rest.readUInt32BE(typeSize)
      if (rest.length < size) return
      if (!isFirst && (rest[0] === QUERY || rest[0] === EXECUTE)) found()
      isFirst = false
      rest = rest.subarray(size)
    }
  }
}

function listening(server: Server) {
  return new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
}
