import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { REDIS_USERS, type RedisUser } from '#shared/stores/redis-users.ts'
import { engineAnswers, startPostgresContainer, startRedisContainer } from './containers.ts'
import { DATA } from './ground.ts'
import { type Store, startFreshPostgres, startPostgres } from './postgres.ts'
import { addRedisUser, NoRedis, startFreshRedis, startRedis } from './redis.ts'

/** The two stores under everything. */
export interface Backing {
  databaseUrl: string
  redisUrl: string
  /** The addresses for the processes that are users of their own in Redis; tests create theirs. */
  redisUrls: { [user in RedisUser]?: string | undefined } | undefined
  /** One line on where they come from. */
  origin: string
  stop(): Promise<void>
}

interface Wish {
  /** For tests: stores of their own that leave nothing behind. */
  fresh?: boolean
  say?: (line: string) => void
}

/** Finds or starts PostgreSQL and Redis: given by the environment, else containers (tests only), else our own. */
export async function openBacking({ fresh = false, say = () => {} }: Wish = {}): Promise<Backing> {
  const givenDatabase = process.env.DATABASE_URL
  const givenRedis = process.env.REDIS_URL
  const containers = fresh && !(givenDatabase && givenRedis) && (await engineAnswers())
  const [postgres, redis] = await bothOrNone([
    givenDatabase
      ? given(givenDatabase)
      : fresh
        ? freshPostgres(containers, say)
        : startPostgres(logFile('postgres')),
    givenRedis ? given(givenRedis) : fresh ? freshRedis(containers, say) : keptRedis(say),
  ])
  return {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    redisUrls: fresh || givenRedis ? givenRedisUrls() : await redisUsers(redis.url, say),
    origin: `PostgreSQL ${originOf(givenDatabase, containers)}, Redis ${originOf(givenRedis, containers)}`,
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()])
    },
  }
}

const given = async (url: string): Promise<Store> => ({ url, stop: async () => {} })

const originOf = (url: string | undefined, containers: boolean) =>
  url ? 'as given' : containers ? 'in a container' : 'of its own'

async function freshPostgres(containers: boolean, say: (line: string) => void) {
  if (!containers) return startFreshPostgres()
  return startPostgresContainer().catch(err => {
    say(`The container of PostgreSQL did not start (${firstLine(err)}); the embedded one takes its place.`)
    return startFreshPostgres()
  })
}

async function freshRedis(containers: boolean, say: (line: string) => void) {
  if (!containers) return startFreshRedis(say)
  return startRedisContainer().catch(err => {
    say(`The container of Redis did not start (${firstLine(err)}); a local one takes its place.`)
    return startFreshRedis(say)
  })
}

async function keptRedis(say: (line: string) => void) {
  try {
    return await startRedis(logFile('redis'), say)
  } catch (err) {
    if (!(err instanceof NoRedis) || !(await engineAnswers())) throw err
    return startRedisContainer('bothy-redis')
  }
}

/** The operator of an own Redis creates the users and gives their addresses. */
const givenRedisUrls = () => ({
  previews: process.env.PREVIEWS_REDIS_URL,
  thumbnails: process.env.THUMBNAILS_REDIS_URL,
})

/** undefined for a Redis older than version 6, which has no users. */
async function redisUsers(redisUrl: string, say: (line: string) => void) {
  try {
    const urls = await Promise.all(REDIS_USERS.map(user => addRedisUser(redisUrl, user)))
    return Object.fromEntries(REDIS_USERS.map((user, i) => [user, urls[i]]))
  } catch (err) {
    say(`previews and thumbnails have all rights in Redis, because it accepts no users (${firstLine(err)}).`)
    return undefined
  }
}

/** If one of the two fails, the other is not left behind. */
async function bothOrNone(starting: [Promise<Store>, Promise<Store>]): Promise<[Store, Store]> {
  const outcomes = await Promise.allSettled(starting)
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (!failed) return Promise.all(starting)
  await Promise.all(
    outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value.stop() : undefined)),
  )
  throw failed.reason
}

function logFile(name: string) {
  mkdirSync(join(DATA, 'logs'), { recursive: true })
  return join(DATA, 'logs', `${name}.log`)
}

function firstLine(err: unknown) {
  return (err instanceof Error ? err.message : String(err)).split('\n', 1)[0]
}
