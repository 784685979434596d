import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import sharp from 'sharp'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { freePort } from '../processes/free-port.ts'
import { whyNoCompose } from './compose.fixture.ts'

/** docker-compose.yml unedited, with defaults; only `preview_allow` and `hooks_allow` name an internal site. */

const run = promisify(execFile)
const PROJECT = `bothy-test-${process.pid}`
/** Runs in a container: asks Redis as the container's user, or without a user name. */
const ASK_REDIS = `
  const { readFileSync } = require('node:fs')
  const { REDIS_URL, REDIS_URL_FILE } = process.env
  const [user, command, ...args] = process.argv.slice(1)
  const given = REDIS_URL ?? readFileSync(REDIS_URL_FILE, 'utf8')
  const { Redis } = require('ioredis')
  const redis = new Redis(user === 'nobody' ? 'redis://redis:6379' : given, { enableReadyCheck: false })
  redis.call(command, ...args)
    .then(console.log, err => console.log(err.message))
    .finally(() => redis.disconnect())
`
const ASK_POSTGRES = `
  const pg = require('pg')
  const { readFileSync } = require('node:fs')
  const client = new pg.Client(readFileSync(process.env.DATABASE_URL_FILE, 'utf8').trim())
  const ask = async () => {
    await client.connect()
    const { rows } = await client.query('select rolsuper from pg_roles where rolname = current_user')
    const refusal = await client.query('drop table messages').then(() => 'none', err => err.code)
    console.log(JSON.stringify({ superuser: rows[0].rolsuper, refusal }))
    await client.end()
  }
  ask()
`
/** Redis key of the log-in counter of an address. */
const RATE_KEY = 'bothy:rate:login:60:60:203.0.113.9'
/** Time limit, ms: the first build installs the dependencies twice and builds the client. */
const BUILD_WITHIN = 10 * 60_000

describe('docker-compose.yml', function () {
  this.timeout(60_000)
  let env: NodeJS.ProcessEnv
  let url: string
  let folder: string

  before(async function () {
    this.timeout(BUILD_WITHIN)
    const reason = await whyNoCompose()
    if (reason) {
      console.log(`  (docker-compose.yml is not tried: ${reason})`)
      this.skip()
    }
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    folder = await mkdtemp(join(tmpdir(), 'bothy-compose-'))
    env = {
      ...process.env,
      COMPOSE_FILE: `docker-compose.yml:${await siteInside(folder)}`,
      PORT: String(port),
      STUN_PORT: String(await freePort()),
      COMPOSE_PROJECT_NAME: PROJECT,
      API_REPLICAS: '2',
      EVENTS_REPLICAS: '2',
    }
    await compose('build', '--quiet')
    await up()
  })

  after(async function () {
    this.timeout(BUILD_WITHIN)
    if (env) await compose('down', '--volumes', '--timeout', '5')
    if (folder) await rm(folder, { recursive: true })
  })

  const compose = (...args: string[]) =>
    run('docker', ['compose', ...args], { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 })
  const up = () =>
    compose('up', '--detach', '--wait').catch(async err => {
      const { stdout } = await compose('logs', '--no-color', '--tail', '15')
      throw new Error(`docker compose up failed:\n${stdout}\n${err.stderr}`)
    })
  const statuses = async (count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => fetch(`${url}/version`)))
    return [...new Set(all.map(response => response.status))]
  }

  it('comes up with two api processes and two gateways behind one door', async () => {
    expect(await statuses(20)).to.deep.equal([200])
    const { stdout } = await compose('ps', '--format', '{{.Service}}')
    const running = stdout.trim().split('\n').sort()
    const wanted = 'api api caddy events events janitor postgres previews previews-pictures redis site stun'
    expect(running.join(' ')).to.equal(wanted)
  })

  it('has no fault that the doctor finds', async () => {
    const { stdout } = await compose('run', '--rm', '-T', '--no-deps', 'admin', 'doctor', '--json')
    const { findings } = JSON.parse(stdout) as { findings: { part: string; state: string; found: string }[] }
    expect(findings.filter(({ state }) => state === 'fault')).to.deep.equal([])
  })

  it('signs up, sends a text message and streams it at once', async () => {
    const ada = await new Person('ada', url).signUp()
    await ada.send('general', 'from one container to another')
    const stream = await ada.fetch('/events?channel=general&after=0')
    expect(stream.headers.get('content-type')).to.match(/^text\/event-stream/)
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ''
    while (!seen.includes('from one container to another')) {
      const { value, done } = await reader.read()
      expect(done, `the stream ended after: ${seen}`).to.equal(false)
      seen += value
    }
    await reader.cancel()
  })

  it('has an image of at most 250 MB, without npm and apt, that lists its packages', async () => {
    const { stdout: size } = await run('docker', ['image', 'inspect', '--format', '{{.Size}}', 'bothy'])
    expect(Number(size)).to.be.lessThan(250_000_000)
    const inImage = (command: string) => compose('exec', '-T', 'api', 'bash', '-c', command)
    expect((await inImage('compgen -c')).stdout.split('\n'))
      .to.include('node')
      .and.not.include.oneOf(['npm', 'npx', 'apt', 'apt-get', 'yarn', 'perl'])
    const sbom = JSON.parse((await inImage('cat sbom.cdx.json')).stdout)
    expect(sbom.bomFormat).to.equal('CycloneDX')
    expect(sbom.components.map(({ name }: { name: string }) => name)).to.include.members([
      'express',
      'preact',
    ])
  })

  it('starts each process from the compiled code of its image, though it can write nothing', async () => {
    const { stdout: used } = await compose(
      ...['exec', '-T', 'api', 'node', '-p', 'require("node:module").getCompileCacheDir()'],
    )
    expect(used).to.match(/^\/app\/compiled\/v/)
    const { stdout: files } = await compose('exec', '-T', 'api', 'ls', used.trim())
    expect(files.split('\n').length).to.be.greaterThan(500)
    const { stdout: kinds } = await compose('exec', '-T', 'events', 'ls', 'compiled')
    expect(kinds.trim().split('\n'), 'with and without the flags of events').to.have.length(2)
  })

  it('runs nothing of ours as root, and gives the previews worker no secret', async () => {
    const { stdout: user } = await compose('exec', '-T', 'api', 'id', '-u')
    expect(user.trim()).to.not.equal('0')
    const { stdout: secrets } = await compose('exec', '-T', 'previews', 'ls', '/secrets')
    expect(secrets.trim()).to.equal('')
    const { stdout: variables } = await compose('exec', '-T', 'previews', 'env')
    expect(variables).to.not.match(/DATABASE|SECRET/)
  })

  it('gives the previews worker its keys of Redis, and a client without a password no more', async () => {
    const mallory = await new Person('mallory', url).signUp()
    const answers = async (from: string, user: string, ...command: string[]) => {
      const { stdout } = await compose('exec', '-T', from, 'node', '-e', ASK_REDIS, user, ...command)
      return stdout.trim()
    }
    expect(await answers('previews', 'previews', 'exists', 'bothy:cards')).to.match(/^[01]$/)
    const sessions = `bothy:sessions:${mallory.name}`
    expect(await answers('api', 'given', 'exists', sessions)).to.equal('1')
    expect(await answers('previews', 'previews', 'exists', sessions)).to.match(/^NOPERM/)
    expect(await answers('previews', 'previews', 'keys', '*')).to.match(/^NOPERM/)
    expect(await answers('previews', 'nobody', 'exists', sessions)).to.match(/^NOAUTH/)
  })

  it('gives the processes a role of the database that changes no table, and no password of a superuser', async () => {
    const { stdout } = await compose('exec', '-T', 'api', 'node', '-e', ASK_POSTGRES)
    expect(JSON.parse(stdout)).to.deep.equal({ superuser: false, refusal: '42501' })
    const { stdout: secrets } = await compose('exec', '-T', 'api', 'ls', '/secrets')
    expect(secrets.trim().split('\n')).to.have.members([
      'database-url',
      'redis-password',
      'redis-url',
      'session-secret',
    ])
    const { stdout: files } = await compose('exec', '-T', 'previews', 'ls', '/data/files')
    expect(files.trim()).to.equal('')
  })

  it('makes thumbnails, and cards of links that the settings allow', async () => {
    const dora = await new Person('dora', url).signUp()
    const bytes = await sharp({ create: { width: 800, height: 600, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await dora.sendImages('general', [{ name: 'hill.png', bytes }])
    const name = (await dora.messages('general')).at(-1)!.filename
    await eventually(async () => {
      const small = await dora.fetch(`/files/${name}?size=360`)
      expect(small.headers.get('content-type')).to.equal('image/webp')
    })
    await eventually(async () => {
      const link = encodeURIComponent('http://site:8080/rota')
      expect(await dora.get(`/link_preview?url=${link}`)).to.include({ title: 'Tea kitchen rota' })
    })
  })

  it('sends what hooks send through the previews worker alone, and to no address inside but an allowed one', async () => {
    const olga = await new Person('olga', url).signUp()
    await olga.postJson('/confirm', { password: PASSWORD })
    const made = async (path: string, hook: object) => {
      const response = await olga.postJson(path, hook)
      expect(response.status, path).to.equal(201)
      return (await response.json()) as { id: number; url: string }
    }
    const about = { events: ['message.created'], include_bots: true }
    const told = await made('/hooks_out', { name: 'told', url: 'http://site:8080/told', ...about })
    const inside = await made('/hooks_out', { name: 'inside', url: 'http://redis:6379/', ...about })
    await made('/public_channels', { name: 'builds' })
    const { url: post } = await made('/hooks_in', { name: 'CI', channel: 'builds' })
    const posted = await fetch(post, { method: 'POST', body: '{"text": "the build is green"}' })
    expect([posted.status, await posted.text()]).to.deep.equal([200, 'ok'])
    const deliveries = ({ id }: { id: number }) =>
      olga.get<{ items: { last_status: number | null; last_error: string | null }[] }>(
        `/hooks_out/${id}/deliveries`,
      )
    await eventually(async () => {
      expect((await deliveries(told)).items[0]).to.include({ state: 'sent', last_status: 200 })
      expect((await deliveries(inside)).items[0]).to.include({ last_error: 'refused_address' })
    })
    const lookUp = `require('node:dns').lookup('site', err => console.log(err ? 'unknown' : 'found'))`
    for (const [from, outcome] of [
      ['previews', 'found'],
      ['api', 'unknown'],
      ['janitor', 'unknown'],
    ] as const)
      expect((await compose('exec', '-T', from, 'node', '-e', lookUp)).stdout.trim(), from).to.equal(outcome)
    const { stdout } = await compose('run', '--rm', '-T', '--no-deps', 'admin', 'doctor', '--json')
    const { findings } = JSON.parse(stdout) as { findings: { part: string; found: string }[] }
    expect(findings.find(({ part }) => part === 'stored secrets')?.found).to.match(/^all 4 are under /)
  })

  it('answers STUN on the port that is published, and prints links that lead to the front door', async () => {
    const request = Buffer.from('000100002112a442626f7468792d736179732d68', 'hex')
    const answer = await askByUdp(Number(env['STUN_PORT']), request)
    expect(answer.readUInt16BE(0)).to.equal(0x0101)
    const tool = ['exec', '-T', 'api', 'node', 'infra/tools/admin.ts', 'reset-password', 'dora']
    expect((await compose(...tool)).stdout).to.match(
      new RegExp(`^${url.replace('127.0.0.1', 'localhost')}/reset-password/`),
    )
  })

  it('goes on in every container when a health check is killed and its child fails', async () => {
    const orphan = '(sleep 1; exit 2) & kill -9 $$'
    for (const service of ['postgres', 'redis', 'caddy', 'api'])
      await compose('exec', '-T', service, 'sh', '-c', orphan).catch(() => {})
    await pause(2_000)
    const { stdout } = await compose('logs', '--no-color', 'postgres')
    expect(stdout).to.not.include('terminating any other active server processes')
    const { stdout: processes } = await compose('exec', '-T', 'api', 'sh', '-c', 'cat /proc/[0-9]*/stat')
    expect(processes).to.not.match(/\) Z /)
  })

  it('keeps responding while an api process and a gateway are killed', async () => {
    await killByName('api-2')
    await killByName('events-2')
    for (let i = 0; i < 10; i++) expect(await statuses(4)).to.deep.equal([200])
    const bob = await new Person('bob', url).signUp()
    for (let i = 0; i < 10; i++) await bob.send('general', `still here ${i}`)
  })

  it('refuses uploads over the limit with 413, 100 of 100 times', async function () {
    this.timeout(180_000)
    const people = await Promise.all(
      ['fred', 'gwen', 'hugo', 'ines'].map(name => new Person(name, url).signUp()),
    )
    const tally: Record<string, number> = {}
    const bytes = new Uint8Array(3 * 1024 * 1024)
    for (let i = 0; i < 100; i++) {
      const outcome = await people[i % 4]!.sendImages('general', [{ name: 'large.png', bytes }])
        .then(async answer => `${answer.status} ${await answer.text()}`)
        .catch(err => String((err as Error).cause ?? err))
      tally[outcome] = (tally[outcome] ?? 0) + 1
    }
    expect(tally).to.deep.equal({ '413 request too large (max 2 MB)': 100 })
  })

  it('keeps responding while an api process is frozen: reads are repeated at the other after 5 s', async () => {
    await up()
    const gina = await new Person('gina', url).signUp()
    // A signal would freeze the init of the container alone.
    await run('docker', ['pause', `${PROJECT}-api-1`])
    try {
      const end = performance.now() + 15_000
      const seen: { status: number; ms: number }[] = []
      const client = async () => {
        while (performance.now() < end) {
          const began = performance.now()
          const response = await gina.fetch('/version')
          await response.text()
          seen.push({ status: response.status, ms: performance.now() - began })
          await pause(100)
        }
      }
      await Promise.all(Array.from({ length: 10 }, client))
      for (const { status } of seen) expect(status).to.equal(200)
      expect(Math.max(...seen.map(({ ms }) => ms))).to.be.lessThan(8_000)
      expect(seen.filter(({ ms }) => ms > 1_000).length).to.be.within(1, seen.length / 3)
    } finally {
      await run('docker', ['unpause', `${PROJECT}-api-1`])
    }
  })

  it('trusts only the named proxy in front of it: Secure cookies, addresses of the clients', async function () {
    this.timeout(180_000)
    const forwarded = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' }
    const counted = async () => {
      const { stdout } = await compose(
        'exec',
        '-T',
        'api',
        'node',
        '-e',
        ASK_REDIS,
        'given',
        'exists',
        RATE_KEY,
      )
      return stdout.trim()
    }
    const logIn = () => {
      const body = new URLSearchParams({ username: 'nobody', password: 'Wrong-in-the-hills-1!' })
      return fetch(`${url}/login`, { method: 'POST', body, headers: forwarded, redirect: 'manual' })
    }
    await logIn()
    expect(await counted(), 'counted for an address that anybody may name').to.equal('0')
    Object.assign(env, {
      PUBLIC_URL: 'https://chat.internal',
      TRUST_PROXY: '2',
      // Requests of this machine arrive from these networks, like those of a proxy on it.
      TRUSTED_PROXIES: '172.16.0.0/12 192.168.0.0/16',
    })
    await up()
    await logIn()
    expect(await counted()).to.equal('1')
    const hana = new Person('hana', url)
    const body = new URLSearchParams({ username: 'hana', password: PASSWORD, confirm_password: PASSWORD })
    const answer = await hana.fetch('/signup', { method: 'POST', body, headers: forwarded })
    expect(answer.headers.getSetCookie().join()).to.match(/^session=.*; Secure/)
  })

  it('keeps accounts, sessions and messages when it is taken down and up again', async function () {
    this.timeout(180_000)
    const cleo = await new Person('cleo', url).signUp()
    await cleo.send('general', 'see you tomorrow')
    await compose('down', '--timeout', '5')
    await up()
    const texts = (await cleo.messages('general')).map(message => message.content)
    expect(texts).to.include('see you tomorrow')
  })

  it('is away only while its only api process starts again', async function () {
    this.timeout(180_000)
    env = { ...env, API_REPLICAS: '' }
    await up()
    let longest = 0
    const end = performance.now() + 8_000
    const client = async () => {
      while (performance.now() < end) {
        const began = performance.now()
        const { status } = await fetch(`${url}/version`)
        expect(status).to.equal(200)
        longest = Math.max(longest, performance.now() - began)
        await pause(50)
      }
    }
    await Promise.all([
      ...Array.from({ length: 5 }, client),
      compose('exec', '-T', 'api', 'node', '-e', 'process.kill(1)'),
    ])
    expect(longest).to.be.within(300, 6_000)
  })

  const killByName = (name: string) => run('docker', ['kill', `${PROJECT}-${name}`])
})

/** Writes a page for a site beside the containers, settings that allow it, and the Compose file that adds both. */
async function siteInside(folder: string): Promise<string> {
  // Readable by the account of the container.
  await chmod(folder, 0o755)
  const page = '<title>Tea kitchen rota</title>'
  const serve = `require('node:http').createServer((q, r) => r.setHeader('Content-Type', 'text/html').end('${page}')).listen(8080)`
  await writeFile(
    join(folder, 'settings.json'),
    JSON.stringify({
      preview_allow: ['site:8080'],
      hooks_allow: ['site:8080'],
      max_request_size_mb: 2,
    }),
  )
  const file = join(folder, 'site.json')
  await writeFile(
    file,
    JSON.stringify({
      services: {
        site: {
          image: 'bothy',
          command: ['node', '-e', serve],
          networks: ['outside'],
        },
        api: { volumes: [`${folder}:/settings:ro`] },
        previews: { volumes: [`${folder}:/settings:ro`] },
      },
    }),
  )
  return file
}

function askByUdp(port: number, datagram: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4')
  return new Promise<Buffer>((resolve, reject) => {
    socket.once('message', resolve)
    socket.once('error', reject)
    socket.send(datagram, port, '127.0.0.1')
  }).finally(() => socket.close())
}
