import { connect } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '#shared/runtime/config.ts'
import { serversOf } from '#shared/runtime/database-url.ts'
import { redisHostsOf } from '#shared/runtime/redis-url.ts'
import { variableText } from '#shared/runtime/variables.ts'
import { openStores, type Stores } from '#shared/stores/stores.ts'
import { DATA, whileRunning } from './environment.ts'

/** Runs `work` on the stores of the environment, or of the `npm start` that runs from this clone. */
export async function withStores<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
  const databaseUrl = variableText('DATABASE_URL') ?? whileRunning('database-url')
  const redisUrl = variableText('REDIS_URL') ?? whileRunning('redis-url')
  if (!databaseUrl || !redisUrl) {
    throw new Error('bothy does not run here: start it first, or say DATABASE_URL and REDIS_URL.')
  }
  // Services wait for their stores; a command reports that they are away.
  await Promise.all([
    answers('DATABASE_URL', serversOf(databaseUrl).map(addressOf)),
    answers('REDIS_URL', redisHostsOf(redisUrl)),
  ])
  const stores = await openStores({
    databaseUrl,
    databaseDirectUrl: variableText('DATABASE_DIRECT_URL'),
    redisUrl,
    redisPrefix: process.env.REDIS_PREFIX ?? 'bothy:',
    filesUrl: process.env.FILES_URL ?? pathToFileURL(resolve(DATA, 'files')).href,
    settingsFile: resolve(ROOT, process.env.SETTINGS_FILE || 'settings.json'),
  })
  try {
    return await work(stores)
  } finally {
    await stores.stop()
  }
}

const ANSWERS_WITHIN = 3_000

interface Address {
  host: string
  port: number
}

const addressOf = (url: string): Address => {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) || 5432 }
}

async function answers(name: string, servers: Address[]): Promise<void> {
  await Promise.any(servers.map(answersAt)).catch(() => {
    throw new Error(`Nobody answers at ${name}. Does bothy run?`)
  })
}

function answersAt(address: Address): Promise<void> {
  return new Promise((done, fail) => {
    const socket = connect({ ...address, timeout: ANSWERS_WITHIN })
    const end = (isThere: boolean) => {
      socket.destroy()
      if (isThere) done()
      else fail(new Error('away'))
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
