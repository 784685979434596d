import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { load } from '#shared/test-kit/load.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { freePort } from '../processes/free-port.ts'
import { whyNoCompose } from './compose.fixture.ts'

const run = promisify(execFile)
const NEXT = '999.0.0'
const PROJECT = `bothy-upgrade-${process.pid}`
/** Milliseconds: the image is built, and each upgrade waits for ten containers. */
const LONG = 15 * 60_000
/** Milliseconds: an upgrade takes minutes, and more sends would meet the rate limit. */
const BETWEEN = 400
const NOTES = `-- works from ${VERSION}\ncreate table if not exists notes (id bigint primary key);`
const HALF = `-- works from ${NEXT}\ncreate table half (id bigint); insert into half select id from no_such_table;`

/** `infra/upgrade.sh` of a stack with two api processes and two gateways in which people write. */
describe('an upgrade of docker-compose.yml', function () {
  this.timeout(LONG)
  let env: NodeJS.ProcessEnv
  let folder: string
  let variables: string
  let url: string
  let ada: Person

  before(async function () {
    const reason = await whyNoCompose()
    if (reason) {
      console.log(`  (the upgrade is not tried: ${reason})`)
      this.skip()
    }
    folder = await mkdtemp(join(tmpdir(), 'bothy-compose-upgrade-'))
    variables = join(folder, 'variables')
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    await writeFile(
      variables,
      `API_REPLICAS=2\nEVENTS_REPLICAS=2\nPORT=${port}\nSTUN_PORT=${await freePort()}\nBOTHY_IMAGE=${PROJECT}:one\n`,
    )
    env = { ...process.env, COMPOSE_ENV_FILES: variables, COMPOSE_PROJECT_NAME: PROJECT }
    await compose('build', '--quiet', 'api')
    await compose('up', '--detach', '--wait')
    ada = await new Person('ada', url).signUp()
  })

  after(async () => {
    if (env) {
      await compose('down', '--volumes', '--timeout', '5')
      const { stdout } = await docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', PROJECT)
      for (const image of stdout.split('\n').filter(Boolean)) await docker('image', 'rm', image)
    }
    if (folder) await rm(folder, { recursive: true })
  })

  const docker = (...args: string[]) => run('docker', args, { cwd: ROOT, env, maxBuffer: 2 ** 26 })
  const compose = (...args: string[]) => docker('compose', ...args)

  /** An image of the next release: this one with some files changed. */
  async function next(name: string, files: Record<string, string> = {}): Promise<string> {
    const root = join(folder, name)
    const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const all = {
      'package.json': JSON.stringify({ ...manifest, version: NEXT }),
      'shared/stores/migrations/9001_notes.sql': NOTES,
      ...files,
    }
    for (const [path, text] of Object.entries(all)) {
      const file = join(root, 'app', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    await writeFile(join(root, 'Dockerfile'), `FROM ${PROJECT}:one\nCOPY app /app\n`)
    await docker('build', '--quiet', '--tag', `${PROJECT}:${name}`, root)
    return `${PROJECT}:${name}`
  }

  /** `during` is called with each part of the output, which goes on meanwhile. */
  async function upgrade(
    args: string[],
    during?: (said: string) => Promise<void>,
  ): Promise<{ code: number; output: string }> {
    const child = spawn(join(ROOT, 'infra/upgrade.sh'), ['--despite-faults', ...args], { env })
    let output = ''
    const done: (Promise<void> | undefined)[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        done.push(during?.(text))
      })
    const [code] = await once(child, 'close')
    await Promise.all(done)
    return { code, output }
  }

  const version = async () => ((await (await fetch(`${url}/version`)).json()) as { version: string }).version
  const running = async () => {
    const { stdout } = await compose('ps', '--format', '{{.ID}} {{.Service}}')
    return stdout.trim().split('\n').sort()
  }
  const services = async () => (await running()).map(line => line.split(' ')[1]).sort()
  const isTable = async (name: string) => {
    const query = `select to_regclass('${name}') is not null`
    const { stdout } = await compose('exec', '-T', 'postgres', 'psql', '-U', 'bothy', '-Atc', query)
    return stdout.trim() === 't'
  }
  const robots = async () => ((await ada.get('/users')) as string[]).filter(name => name.startsWith('check-'))

  it('whose migration fails halfway leaves containers and schema alone', async () => {
    const image = await next('half', { 'shared/stores/migrations/9002_half.sql': HALF })
    const former = await running()
    const people = load(ada, url, BETWEEN)
    const { code, output } = await upgrade(['--accept-loss', image])
    const { lost } = await people.end()
    expect(code, output).to.equal(1)
    expect(output).to.include('Migration 9002_half.sql failed').and.include('The processes were left alone.')
    expect({ failed: people.failed, lost }).to.deep.equal({ failed: [], lost: 0 })
    expect(await running()).to.deep.equal(former)
    expect(await isTable('half')).to.equal(false)
  })

  it('to a schema that excludes this release is refused', async () => {
    const image = await next('alone', {
      'shared/stores/migrations/9002_alone.sql': `-- works from ${NEXT}\ncreate table alone (id bigint);`,
    })
    const { code, output } = await upgrade([image])
    expect(code, output).to.equal(1)
    expect(output)
      .to.include(`Not begun: bothy ${VERSION} cannot run on that schema`)
      .and.include('--accept-loss')
    expect(await isTable('alone')).to.equal(false)
  })

  it('that cannot start goes back by itself, without a failed request', async () => {
    const image = await next('broken', { 'services/events/main.ts': `throw new Error('broken release')` })
    const former = await running()
    const people = load(ada, url, BETWEEN)
    const { code, output } = await upgrade([image])
    const { lost } = await people.end()
    expect(code, output).to.equal(1)
    expect(output, output).to.include('Going back.').and.include(`bothy ${VERSION} runs as before.`)
    expect({ failed: people.failed, lost }, output).to.deep.equal({ failed: [], lost: 0 })
    expect(await running()).to.deep.equal(former)
    expect(await readFile(variables, 'utf8')).to.include(`BOTHY_IMAGE=${PROJECT}:one\n`)
  })

  it('that fails its smoke test starts the former containers again, without a failed request', async () => {
    const image = await next('unfit', {
      'infra/tools/smoke-test.ts': `export const smokeTest = () => { throw new Error('Smoke test: find it failed') }`,
    })
    const former = await running()
    const people = load(ada, url, BETWEEN)
    const { code, output } = await upgrade([image])
    const { lost } = await people.end()
    expect(code, output).to.equal(1)
    expect(output)
      .to.include('Smoke test: find it failed Going back.')
      .and.include(`bothy ${VERSION} runs as before.`)
    expect({ failed: people.failed, lost }, output).to.deep.equal({ failed: [], lost: 0 })
    const now = await running()
    expect(now.filter(one => !one.endsWith(' stun'))).to.deep.equal(
      former.filter(one => !one.endsWith(' stun')),
    )
    expect(await version()).to.equal(VERSION)
  })

  it('to a schema that excludes this release goes back to the data of the backup, and keeps the others', async () => {
    const image = await next('exclusive', {
      'shared/stores/migrations/9002_alone.sql': `-- works from ${NEXT}\ncreate table alone (id bigint);`,
      'infra/tools/smoke-test.ts': `export const smokeTest = () => { throw new Error('Smoke test: find it failed') }`,
    })
    await ada.send('general', 'before the backup')
    const { code, output } = await upgrade(['--accept-loss', image], async said => {
      if (said.includes('Proven backup:')) await ada.send('general', 'after the backup')
    })
    expect(code, output).to.equal(1)
    const kept = /with the data of the backup; what was written after it is in the database (\w+)/.exec(
      output,
    )?.[1]
    expect(kept, output).to.be.a('string')
    expect(await version()).to.equal(VERSION)
    expect(await isTable('alone')).to.equal(false)
    // A restore ends all sessions.
    ada.cookie = ''
    const login = await ada.postForm('/login', { username: ada.name, password: PASSWORD })
    expect([login.status, login.headers.get('location')]).to.deep.equal([302, '/'])
    await ada.send('general', 'after the way back')
    const texts = (await ada.messages('general')).map(({ content }) => content)
    expect(texts.slice(-2)).to.deep.equal(['before the backup', 'after the way back'])
    const query = `select count(*) from messages where content = 'after the backup'`
    const { stdout } = await compose('exec', '-T', 'postgres', 'psql', '-U', 'bothy', '-Atc', query, kept!)
    expect(stdout.trim(), 'in the former database').to.equal('1')
  })

  it('replaces each process without a failed request, and leaves no robot', async () => {
    const image = await next('next')
    const names = await services()
    const people = load(ada, url, BETWEEN)
    const { code, output } = await upgrade([image])
    const { lost, seen } = await people.end()
    expect(code, output).to.equal(0)
    expect({ failed: people.failed, lost }, output).to.deep.equal({ failed: [], lost: 0 })
    expect(seen).to.include(people.sent.at(-1))
    expect(output).to.include('The smoke test passed.')
    expect(await version()).to.equal(NEXT)
    expect(await services()).to.deep.equal(names)
    expect(await robots()).to.deep.equal([])
    expect(await readFile(variables, 'utf8')).to.include(`BOTHY_IMAGE=${image}\n`)
  })

  it('keeps sessions and messages when infra/new-passwords.sh gives the stores new passwords', async () => {
    const secrets = async () => {
      const { stdout } = await compose(
        'exec',
        '-T',
        'api',
        'cat',
        '/secrets/database-url',
        '/secrets/redis-url',
      )
      return stdout.trim().split('\n')
    }
    const refusals = `
      const [database, redis] = process.argv.slice(1)
      const client = new (require('pg').Client)(database)
      const other = new (require('ioredis').Redis)(redis, { lazyConnect: true, retryStrategy: null })
      const refusal = connecting => connecting.then(() => 'none', err => err.code ?? err.message)
      other.on('error', () => {})
      Promise.all([refusal(client.connect()), refusal(other.connect())])
        .then(found => { console.log(found.join()); process.exit() })
    `
    const former = await secrets()
    await ada.send('general', 'with the former passwords')
    await run(join(ROOT, 'infra/new-passwords.sh'), [], { env })
    const now = await secrets()
    for (const [i, secret] of now.entries()) expect(secret).to.not.equal(former[i])
    await ada.send('general', 'with the new passwords')
    const texts = (await ada.messages('general')).map(({ content }) => content)
    expect(texts.slice(-2)).to.deep.equal(['with the former passwords', 'with the new passwords'])
    const { stdout } = await compose('exec', '-T', 'api', 'node', '-e', refusals, ...former)
    expect(stdout)
      .to.match(/^28P01,/)
      .and.not.match(/none/)
    expect((await compose('ps', '--format', '{{.Service}}')).stdout).to.match(/api\n(?:.*\n)*api\n/)
  })
})
