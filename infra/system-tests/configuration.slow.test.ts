import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { findRedis } from '../dev-stores/redis.ts'
import { environmentOf, startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'

type Line = Record<string, unknown>

describe('a mistake in the configuration', function () {
  this.timeout(60_000)
  let backing: TestBacking
  before(async () => {
    backing = await testBacking()
  })
  after(() => backing.drop())

  const start = (name: string, env: object) => {
    const child = startChild(process.execPath, [join(ROOT, 'services', name, 'main.ts')], {
      cwd: ROOT,
      env: environmentOf(name, {
        ...process.env,
        LISTEN_HOST: '127.0.0.1',
        ...backing.env,
        LOG_LEVEL: 'info',
        PORT: '0',
        ...env,
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', text => {
        output += text
      })
    return { child, lines: () => output.trim().split('\n') }
  }

  /** The only line of a process that ends at its start. */
  async function endOf(name: string, env: object): Promise<Line> {
    const { child, lines } = start(name, env)
    const [code] = await once(child, 'close')
    expect(code, lines().join('\n')).to.equal(1)
    // The tests' own environment has cheap password hashes.
    const last = lines().filter(line => !/"msg":"(stopped|PASSWORD_ITERATIONS)/.test(line))
    expect(last, last.join('\n')).to.have.length(1)
    return JSON.parse(last[0]!) as Line
  }

  for (const name of ['api', 'events', 'janitor', 'previews', 'thumbnails', 'stun']) {
    it(`ends ${name} with one JSON line that names all faults`, async () => {
      const line = await endOf(name, { PORT: '99999', LOG_LEVEL: 'verbose', METRICS_PORT: 'x' })
      expect(line).to.include({ level: 'fatal', service: name, msg: 'configuration not usable' })
      expect(line['faults']).to.deep.equal([
        'PORT: an integer from 0 to 65535 is wanted, not “99999”',
        'LOG_LEVEL: debug, info, warn or error is wanted, not “verbose”',
        'METRICS_PORT: an integer from 1 to 65535 is wanted, not “x”',
      ])
    })
  }

  it('such as a misspelt name is one line at the start of each process, which goes on', async () => {
    for (const name of ['api', 'events', 'janitor', 'previews', 'thumbnails', 'stun']) {
      const { child, lines } = start(name, { METRIC_PORT: '9090', STUN_PORT: String(await freePort()) })
      try {
        const line = await eventually(() => {
          const found = lines().filter(text => text.includes('variables not known'))
          expect(found, name).to.have.length(1)
          return JSON.parse(found[0]!) as Line
        }, 30_000)
        expect(line).to.deep.include({
          level: 'warn',
          service: name,
          warnings: ['METRIC_PORT is no variable: is METRICS_PORT meant?'],
        })
      } finally {
        await stopChild(child)
      }
    }
  })

  it('such as a wrong password of the database is told in the words of PostgreSQL, without a stack', async () => {
    const url = new URL(backing.env.DATABASE_URL)
    url.username = 'nobody_of_this_name'
    url.password = 'heather'
    const line = await endOf('api', { DATABASE_URL: url.href })
    expect(line['msg']).to.equal('configuration not usable')
    expect(String(line['faults'])).to.match(/^DATABASE_URL: .*nobody_of_this_name/)
    expect(JSON.stringify(line)).to.not.include('heather')
  })

  for (const [what, args, tells] of [
    [
      'a Redis Sentinel',
      ['--sentinel'],
      (at: string) => `name it as redis+sentinel://${at}/name, with its name of the primary`,
    ],
    [
      'a node of a Redis Cluster',
      ['--cluster-enabled', 'yes'],
      () => 'name a single Redis server or its sentinels',
    ],
  ] as const) {
    it(`such as the address of ${what} is told by every process that uses Redis`, async () => {
      const program = await findRedis(() => {})
      const port = await freePort()
      const { path: folder, remove } = temporaryFolder('bothy-redis-')
      const file = join(folder, 'redis.conf')
      writeFileSync(file, `port ${port}\nbind 127.0.0.1\nprotected-mode no\ndir ${folder}\n`)
      const redis = startChild(program.path, [file, ...args], { env: { ...process.env, ...program.env } })
      try {
        for (const name of ['api', 'events', 'janitor', 'previews', 'thumbnails']) {
          const env = {
            REDIS_URL: `redis://127.0.0.1:${port}`,
            PREVIEWS_REDIS_URL: undefined,
            THUMBNAILS_REDIS_URL: undefined,
          }
          const line = await endOf(name, env)
          const at = `127.0.0.1:${port}`
          expect(String(line['faults']), name)
            .to.match(new RegExp(`^REDIS_URL: ${at} is ${what}[;,]`))
            .and.include(tells(at))
        }
      } finally {
        await stopChild(redis)
        remove()
      }
    })
  }

  it('such as an address without Redis is told after three seconds, while the process waits', async () => {
    // Accepts connections and says nothing.
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const { child, lines } = start('api', { REDIS_URL: `redis://127.0.0.1:${port}` })
    try {
      await eventually(
        () => expect(lines().join('\n')).to.include(`waiting for Redis at 127.0.0.1:${port}`),
        15_000,
      )
      expect(child.exitCode).to.equal(null)
    } finally {
      child.kill('SIGKILL')
      silent.close()
    }
  })
})
