import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { variableText } from '#shared/runtime/variables.ts'
import { boundFile } from '../processes/bound-file.ts'
import { DATA } from '../processes/data-folder.ts'
import { engineAnswers, startPostgresContainer, startRedisContainer } from './containers.ts'
import { type OwnPostgres, startEphemeralPostgres, startPostgres } from './postgres.ts'
import { NoRedis, type OwnRedis, startEphemeralRedis, startRedis } from './redis.ts'
import type { Store } from './restart-store.ts'

/** The two stores. */
export interface BackingServices {
  /** Used by the processes. */
  databaseUrl: string
  /** If `databaseUrl` is given and leads to a connection pooler: the server itself. */
  directDatabaseUrl: string | undefined
  /** Used by migrations; equals `databaseUrl` where a single role does everything. */
  ownerDatabaseUrl: string
  /** Used to restore backups; equals `databaseUrl` where a single role does everything. */
  adminDatabaseUrl: string
  redisUrl: string
  /** Addresses of the processes that have a Redis user of their own; tests create their own users. */
  redisUrls: OwnRedis['userUrls']
  /** Where the stores come from, for the screen. */
  origin: string
  stop(): Promise<void>
}

interface Found extends Store {
  origin: 'as given' | 'in a container' | 'of its own'
}

type FoundPostgres = Found & Partial<OwnPostgres>
type FoundRedis = Found & Partial<OwnRedis>

interface Wish {
  /** Tests: new stores, removed at the end. */
  ephemeral?: boolean
  say?: (line: string) => void
}

/** Finds or starts PostgreSQL and Redis: from the environment, else containers (tests only), else our own. */
export async function openBackingServices({
  ephemeral = false,
  say = () => {},
}: Wish = {}): Promise<BackingServices> {
  const givenDatabase = variableText('DATABASE_URL')
  const givenRedis = variableText('REDIS_URL')
  const containers = ephemeral && !(givenDatabase && givenRedis) && (await engineAnswers())
  const [postgres, redis] = await bothOrNone<FoundPostgres, FoundRedis>([
    givenDatabase ? given(givenDatabase) : ephemeral ? ephemeralPostgres(containers, say) : ownPostgres(say),
    givenRedis ? given(givenRedis) : ephemeral ? ephemeralRedis(containers, say) : ownRedis(say),
  ])
  const { PREVIEWS_REDIS_URL: previews, THUMBNAILS_REDIS_URL: thumbnails } = process.env
  const direct = givenDatabase && variableText('DATABASE_DIRECT_URL')
  return {
    databaseUrl: postgres.url,
    directDatabaseUrl: direct,
    ownerDatabaseUrl: postgres.ownerUrl ?? direct ?? postgres.url,
    adminDatabaseUrl: postgres.adminUrl ?? direct ?? postgres.url,
    redisUrl: redis.url,
    // The operator of a given Redis creates the users there.
    redisUrls: redis.userUrls ?? { previews, thumbnails },
    origin: `PostgreSQL ${postgres.origin}, Redis ${redis.origin}`,
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()])
    },
  }
}

const given = async (url: string): Promise<Found> => ({ url, stop: async () => {}, origin: 'as given' })

async function ownPostgres(say: (line: string) => void): Promise<FoundPostgres> {
  return bounded('postgres', log => startPostgres(log, say))
}

async function ephemeralPostgres(containers: boolean, say: (line: string) => void): Promise<FoundPostgres> {
  if (containers) {
    try {
      return { ...(await startPostgresContainer()), origin: 'in a container' }
    } catch (err) {
      say(`The container of PostgreSQL did not start (${firstLine(err)}); the embedded one takes its place.`)
    }
  }
  return { ...(await startEphemeralPostgres()), origin: 'of its own' }
}

async function ephemeralRedis(containers: boolean, say: (line: string) => void): Promise<FoundRedis> {
  if (containers) {
    try {
      return { ...(await startRedisContainer()), origin: 'in a container' }
    } catch (err) {
      say(`The container of Redis did not start (${firstLine(err)}); a local one takes its place.`)
    }
  }
  return { ...(await startEphemeralRedis(say)), origin: 'of its own' }
}

async function ownRedis(say: (line: string) => void): Promise<FoundRedis> {
  try {
    return await bounded('redis', log => startRedis(log, say))
  } catch (err) {
    if (!(err instanceof NoRedis) || !(await engineAnswers())) throw err
    return { ...(await startRedisContainer('bothy-redis')), origin: 'in a container' }
  }
}

/** Stops the other store if starting one fails. */
async function bothOrNone<A extends Store, B extends Store>(
  starting: [Promise<A>, Promise<B>],
): Promise<[A, B]> {
  const outcomes = await Promise.allSettled(starting)
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (!failed) return Promise.all(starting)
  await Promise.all(
    outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value.stop() : undefined)),
  )
  throw failed.reason
}

/** Starts a store that appends to its log, and bounds that. */
async function bounded<S extends Store>(
  name: string,
  start: (log: string) => Promise<S>,
): Promise<S & { origin: 'of its own' }> {
  mkdirSync(join(DATA, 'logs'), { recursive: true })
  const log = join(DATA, 'logs', `${name}.log`)
  const unbound = boundFile(log)
  try {
    const store = await start(log)
    return { ...store, stop: () => store.stop().finally(unbound), origin: 'of its own' }
  } catch (err) {
    unbound()
    throw err
  }
}

function firstLine(err: unknown) {
  return (err instanceof Error ? err.message : String(err)).split('\n', 1)[0]
}
