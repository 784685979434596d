import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { READ_BY, WRONG } from '#shared/runtime/mistakes.fixture.ts'
import type { VariableName } from '#shared/runtime/variables.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { findRedis } from '../dev-stores/redis.ts'
import { environmentOf, programOf, startChild, stopChild, temporaryFolder } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'

type Line = Record<string, unknown>

describe('a mistake in the configuration', function () {
  this.timeout(300_000)
  let backing: TestBacking
  before(async () => {
    backing = await testBacking()
  })
  after(() => backing.drop())

  const start = (name: string, env: object) => {
    const child = startChild(process.execPath, [join(ROOT, programOf(name))], {
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

  /** The only line above "info" of a process that ends at its start. */
  async function endOf(name: string, env: object): Promise<Line> {
    const { child, lines } = start(name, env)
    const [code] = await once(child, 'close')
    expect(code, lines().join('\n')).to.equal(1)
    // The tests' own environment has cheap password hashes.
    const last = lines().filter(
      line => !/"level":"info"|"msg":"(PASSWORD_ITERATIONS|No owner yet)/.test(line),
    )
    expect(last, last.join('\n')).to.have.length(1)
    return JSON.parse(last[0]!) as Line
  }

  for (const name of ['api', 'events', 'janitor', 'previews', 'previews-pictures', 'stun']) {
    it(`ends ${name} with one JSON line that names all faults`, async () => {
      const read = (Object.keys(WRONG) as VariableName[]).filter(variable =>
        (READ_BY[variable] as string[] | undefined)?.includes(name),
      )
      // A Redis user of its own would replace REDIS_URL.
      const own = { PREVIEWS_REDIS_URL: undefined, THUMBNAILS_REDIS_URL: undefined }
      const line = await endOf(name, {
        ...own,
        ...Object.fromEntries(read.map(variable => [variable, WRONG[variable]![0]])),
      })
      expect(line).to.include({ level: 'fatal', service: name, msg: 'configuration not usable' })
      const faults = line['faults'] as string[]
      expect(faults.map(fault => fault.split('=', 1)[0]).sort()).to.deep.equal(read.sort())
      for (const fault of faults) expect(fault).to.match(/ Allowed: .+\. Correct( or remove)? it\.$/)
      expect(JSON.stringify(line)).to.not.include('heather')
    })

    it(`ends ${name} with one JSON line for an address that is not of this machine, and for a port that is taken`, async () => {
      const ports = { PORT: '0', STUN_PORT: String(await freePort()) }
      const elsewhere = await endOf(name, { ...ports, LISTEN_HOST: '192.0.2.1' })
      expect(elsewhere['faults']).to.deep.equal([
        'LISTEN_HOST=192.0.2.1: this machine has no such address. Allowed: an address or host name of this machine, such as 127.0.0.1; 0.0.0.0 or nothing for all. Correct or remove it: “ip address” lists those of this machine.',
      ])
      const taken = createServer(() => {}).listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const port = String((taken.address() as AddressInfo).port)
      try {
        for (const variable of ['PORT', 'METRICS_PORT']) {
          const line = await endOf(name, { ...ports, [variable]: port })
          expect(line['faults'], variable).to.have.length(1)
          expect((line['faults'] as string[])[0]).to.match(
            new RegExp(
              `^${variable}=${port}: another program has this port\\. Allowed: .* Choose another port\\.$`,
            ),
          )
        }
      } finally {
        taken.close()
      }
    })
  }

  it('such as a misspelt name is one line at the start of each process, which goes on', async () => {
    for (const name of ['api', 'events', 'janitor', 'previews', 'previews-pictures', 'stun']) {
      const { child, lines } = start(name, { METRIC_PORT: '9090', STUN_PORT: String(await freePort()) })
      try {
        const line = await eventually(() => {
          const found = lines().filter(text => text.includes('variables not known'))
          expect(found, name).to.have.length(1)
          return JSON.parse(found[0]!) as Line
        }, 60_000)
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

  it('such as a folder of files that cannot be made, or a file of a secret that is missing, is one line', async () => {
    const folder = temporaryFolder('bothy-configuration-')
    const file = join(folder.path, 'file')
    writeFileSync(file, '')
    const below = pathToFileURL(join(file, 'files')).href
    try {
      for (const name of ['api', 'janitor', 'previews-pictures'])
        expect(String((await endOf(name, { FILES_URL: below }))['faults']), name).to.match(
          /^FILES_URL=file:.*: the folder cannot be used \(ENOTDIR.* Allowed: .* Mount its disk/,
        )
      const missing = { DATABASE_URL: '', DATABASE_URL_FILE: join(folder.path, 'none') }
      expect(String((await endOf('api', missing))['faults'])).to.match(/^DATABASE_URL_FILE=.*none: .*ENOENT/)
      const wrong = { FILES_URL: below, INCOMING_DIR: join(file, 'incoming') }
      expect(
        String(
          (
            await endOf('api', {
              ...wrong,
              FILES_URL: 's3://office',
              AWS_ACCESS_KEY_ID: 'a',
              AWS_SECRET_ACCESS_KEY: 'b',
            })
          )['faults'],
        ),
      ).to.match(/^INCOMING_DIR=.*: the folder cannot be made/)
    } finally {
      folder.remove()
    }
  })

  it('such as values of settings.json is one line of each process that reads it, which goes on', async () => {
    const folder = temporaryFolder('bothy-configuration-')
    const file = join(folder.path, 'settings.json')
    writeFileSync(file, '{"retention_days": -1, "signup_mode": "maybe", "channel": []}')
    try {
      for (const name of ['api', 'events', 'janitor', 'previews', 'stun']) {
        const { child, lines } = start(name, { SETTINGS_FILE: file, STUN_PORT: String(await freePort()) })
        try {
          const line = await eventually(() => {
            const found = lines().filter(text => text.includes('settings not usable'))
            expect(found, name).to.have.length(1)
            return JSON.parse(found[0]!) as { faults: string[] }
          }, 60_000)
          expect(line.faults.map(fault => fault.split(' in ', 1)[0])).to.deep.equal([
            'retention_days=-1',
            'signup_mode="maybe"',
            'channel=[]',
          ])
        } finally {
          await stopChild(child)
        }
      }
    } finally {
      folder.remove()
    }
  })

  it('such as an address without PostgreSQL is told after three seconds, while the process waits', async () => {
    const { child, lines } = start('api', { DATABASE_URL: 'postgres://bothy:heather@127.0.0.1:1/bothy' })
    try {
      await eventually(
        () =>
          expect(lines().join('\n')).to.match(
            /Look at DATABASE_URL.*waiting for PostgreSQL at 127\.0\.0\.1:1/,
          ),
        60_000,
      )
      expect(child.exitCode).to.equal(null)
      expect(lines().join('')).to.not.include('heather')
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('such as a wrong password of the database is told in the words of PostgreSQL, without a stack', async () => {
    const url = new URL(backing.env.DATABASE_URL)
    url.username = 'nobody_of_this_name'
    url.password = 'heather'
    const line = await endOf('api', { DATABASE_URL: url.href })
    expect(line['msg']).to.equal('configuration not usable')
    expect(String(line['faults'])).to.match(
      /^DATABASE_URL=postgres:.*nobody_of_this_name.* Allowed: .* Correct/,
    )
    expect(JSON.stringify(line)).to.not.include('heather')
  })

  for (const [what, args, tells] of [
    [
      'a Redis Sentinel',
      ['--sentinel'],
      (at: string) => `Name it as redis+sentinel://${at}/name, with its name of the primary`,
    ],
    [
      'a node of a Redis Cluster',
      ['--cluster-enabled', 'yes'],
      () => 'Name a single Redis server or its sentinels',
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
        for (const name of ['api', 'events', 'janitor', 'previews', 'previews-pictures']) {
          const env = {
            REDIS_URL: `redis://127.0.0.1:${port}`,
            PREVIEWS_REDIS_URL: undefined,
            THUMBNAILS_REDIS_URL: undefined,
          }
          const line = await endOf(name, env)
          const at = `127.0.0.1:${port}`
          expect(String(line['faults']), name)
            .to.match(new RegExp(`^REDIS_URL: ${at} is ${what}[.,]`))
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
        60_000,
      )
      expect(child.exitCode).to.equal(null)
    } finally {
      child.kill('SIGKILL')
      silent.close()
    }
  })
})
