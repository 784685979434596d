import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { StartedTestContainer } from 'testcontainers'
import { keepContainer } from '../processes/children.ts'
import type { Store } from './restart-store.ts'

/** Stores from testcontainers. The library is large, so it is loaded only if a container engine responds. */

export const POSTGRES_IMAGE = 'postgres:17'
export const REDIS_IMAGE = 'redis:7'

/** Whether a container engine responds within two seconds. */
export async function engineAnswers(): Promise<boolean> {
  const given = process.env.DOCKER_HOST
  if (given?.startsWith('tcp://'))
    return answers({ host: new URL(given).hostname, port: new URL(given).port })
  const sockets = [
    given?.replace(/^unix:\/\//, ''),
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    join(process.env.XDG_RUNTIME_DIR ?? '/nowhere', 'podman/podman.sock'),
  ]
  for (const socketPath of sockets) {
    if (socketPath && existsSync(socketPath) && (await answers({ socketPath }))) return true
  }
  return false
}

function answers(where: { socketPath: string } | { host: string; port: string }): Promise<boolean> {
  return new Promise(resolve => {
    const ping = request({ ...where, path: '/_ping', timeout: 2_000 }, res => {
      res.resume()
      resolve(res.statusCode === 200)
    })
    ping.once('timeout', () => ping.destroy())
    ping.once('error', () => resolve(false))
    ping.end()
  })
}

/** A throw-away database: in memory, without fsync. */
export async function startPostgresContainer(): Promise<Store> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400']
  const container = await withOrWithoutReaper(() =>
    new PostgreSqlContainer(POSTGRES_IMAGE)
      .withDatabase('bothy')
      .withUsername('bothy')
      // As in the embedded PostgreSQL and in docker-compose.yml: the same collation everywhere.
      .withEnvironment({
        POSTGRES_INITDB_ARGS:
          '--encoding=UTF8 --locale=C --lc-ctype=C.UTF-8 --locale-provider=builtin --builtin-locale=C.UTF-8',
      })
      .withTmpFs({ '/var/lib/postgresql/data': 'rw' })
      .withCommand(['postgres', ...settings.flatMap(setting => ['-c', setting])])
      .start(),
  )
  return asStore(container.getConnectionUri(), container)
}

/** With `volume`, the data outlives the container. */
export async function startRedisContainer(volume?: string): Promise<Store> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const command = ['redis-server', '--save', '', '--appendonly', volume ? 'yes' : 'no']
  const container = await withOrWithoutReaper(() => {
    const one = new GenericContainer(REDIS_IMAGE)
      .withCommand(command)
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage('Ready to accept connections'))
    if (volume) one.withBindMounts([{ source: volume, target: '/data', mode: 'rw' }])
    return one.start()
  })
  return asStore(`redis://${container.getHost()}:${container.getMappedPort(6379)}`, container)
}

function asStore(url: string, container: StartedTestContainer): Store {
  const withdraw = keepContainer(container.getId())
  return {
    url,
    async stop() {
      await container.stop()
      withdraw()
    },
  }
}

/**
 * The library starts a helper container that cleans up after a killed run. Without its image, the stores run without
 * it.
 */
async function withOrWithoutReaper<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (err) {
    if (process.env.TESTCONTAINERS_RYUK_DISABLED === 'true') throw err
    process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
    return start()
  }
}
