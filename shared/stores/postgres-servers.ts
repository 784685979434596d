import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { serverOf, serversOf, sessionsWanted } from '#shared/runtime/database-url.ts'
import { log } from '#shared/runtime/log.ts'

/** Shorter than the pool's limit for a connection, so that a silent server costs no request its connection. */
const ANSWERS_WITHIN: Milliseconds = 3_000
/** After the first primary: time for another one, which may be the newer. */
const OTHERS_WITHIN: Milliseconds = 300

type ClientClass = typeof pg.Client

interface Connection {
  connectionString: string
  Client?: ClientClass
}

/**
 * Options of a pool for an address with several servers, or with `target_session_attrs`: each connection leads to the
 * primary at that time. node-postgres itself knows single servers only.
 */
export function connectionTo(url: string, Base: ClientClass = pg.Client): Connection {
  const servers = serversOf(url)
  if (servers.length === 1 && sessionsOf(url) === null)
    return { connectionString: url, ...(Base !== pg.Client && { Client: Base }) }
  return { connectionString: servers[0]!, Client: clientOfPrimary(new Primary(servers), Base) }
}

/** To be called when a connection has turned out to be of a server that takes no writes. */
export function forgetPrimary(url: string): void {
  beliefs.delete(keyOf(serversOf(url)))
}

const keyOf = (servers: readonly string[]) => servers.map(serverOf).join()

/** A single connection to the primary. */
export function clientOf(url: string, options: pg.ClientConfig): pg.Client {
  const { connectionString, Client = pg.Client } = connectionTo(url)
  return new Client({ ...options, connectionString })
}

/** null for what is not a URL, such as a path of a socket. */
const sessionsOf = (url: string) => (URL.canParse(url) ? sessionsWanted(url) : null)

/** Beliefs of this process, by list of servers: pools and single connections share them. */
const beliefs = new Map<string, string>()

/** The server of a list that takes writes. */
class Primary {
  readonly #servers: readonly string[]
  readonly #key: string
  #search: Promise<string> | undefined

  constructor(servers: readonly string[]) {
    this.#servers = servers
    this.#key = keyOf(servers)
  }

  /** The server believed in, else the one found by asking all; the searches of many connections are one. */
  async find(): Promise<string> {
    const believed = this.#servers.find(server => serverOf(server) === beliefs.get(this.#key))
    if (believed) return believed
    this.#search ??= this.#ask().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  forget(server: string) {
    if (beliefs.get(this.#key) === serverOf(server)) beliefs.delete(this.#key)
  }

  async #ask(): Promise<string> {
    const writable = await primaries(this.#servers)
    const newest = writable.reduce((best, other) => (other.timeline > best.timeline ? other : best))
    if (writable.some(({ started }) => started !== newest.started))
      log.error(
        { servers: writable.map(({ server }) => serverOf(server)), taken: serverOf(newest.server) },
        'several servers of DATABASE_URL take writes: stop the former primary',
      )
    beliefs.set(this.#key, serverOf(newest.server))
    return newest.server
  }
}

interface Found {
  server: string
  /** Grows by each promotion: a former primary that came back has a lower one than its successor. */
  timeline: string
  /** The same for two addresses of one server, such as those of two connection poolers. */
  started: string
}

/** At least one; rejects if none takes writes now. */
async function primaries(servers: readonly string[]): Promise<Found[]> {
  const writable: Found[] = []
  const reasons: (Error & { code?: string })[] = []
  const asked = servers.map(async server => {
    try {
      const facts = await factsOf(server)
      if (facts !== undefined) writable.push({ server, ...facts })
    } catch (err) {
      reasons.push(err as Error)
    }
    if (writable.length === 0) throw new Error('not this one')
  })
  const all = Promise.allSettled(asked)
  const first = Promise.any(asked).then(
    () => pause(OTHERS_WITHIN, undefined, { ref: false }),
    () => {},
  )
  await Promise.race([all, first])
  if (writable.length > 0) return writable
  // All servers agree that the address is wrong.
  if (reasons.length === servers.length && reasons.every(({ code }) => /^(28|3D)/.test(code ?? '')))
    throw reasons[0]
  const said = reasons.map(({ message, code }) => `: ${message || code}`).join('')
  throw Object.assign(new Error(`no server of DATABASE_URL takes writes${said}`), { code: '08001' })
}

/** Undefined for a standby, and for a server whose operator forbids writes. */
async function factsOf(server: string): Promise<Omit<Found, 'server'> | undefined> {
  const client = new pg.Client({
    connectionString: server,
    connectionTimeoutMillis: ANSWERS_WITHIN,
    query_timeout: ANSWERS_WITHIN,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    if (await isReadOnly(client)) return undefined
    const { rows } = await client.query<Omit<Found, 'server'>>(
      'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, pg_postmaster_start_time()::text as started',
    )
    return rows[0]!
  } finally {
    await client.end().catch(() => {})
  }
}

async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  return rows[0]!.transaction_read_only === 'on'
}

type Connected = (err: Error | null, client?: pg.Client) => void

/** A class of connections, since pools make their own. */
function clientOfPrimary(primary: Primary, Base: ClientClass): ClientClass {
  return class extends Base {
    #server: string | undefined
    #isEnding = false

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.
    override connect(callback?: any): any {
      const connected = this.#connect()
      if (!callback) return connected
      connected.then(
        client => (callback as Connected)(null, client),
        err => (callback as Connected)(err),
      )
    }

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.
    override end(callback?: any): any {
      this.#isEnding = true
      return super.end(callback)
    }

    async #connect(): Promise<pg.Client> {
      // A connection that breaks says nothing of the others, but a look at all servers is cheap.
      this.on('error', () => this.#server && primary.forget(this.#server))
      const server = await primary.find()
      this.#server = server
      // The pool has given up meanwhile.
      if (this.#isEnding || this.connection.stream.destroyed) throw new Error('timeout expired')
      Object.assign(this, addressOf(server))
      try {
        await super.connect()
        if (!(await isReadOnly(this))) return this
      } catch (err) {
        primary.forget(server)
        void super.end().catch(() => {})
        throw err
      }
      primary.forget(server)
      void super.end().catch(() => {})
      throw Object.assign(new Error(`${serverOf(server)} takes no writes any more`), { code: '08001' })
    }
  } as ClientClass
}

/** As node-postgres reads it. */
function addressOf(server: string): { host: string; port: number } {
  const { host, port } = new pg.Client({ connectionString: server })
  return { host, port }
}
