import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { withDatabase } from '#shared/runtime/database-url.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { renewSealed, SEALED_COLUMNS } from '#shared/stores/sealed-values.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { testBacking } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { temporaryFolder } from '../processes/children.ts'
import type { Finding } from './doctor/finding.ts'
import { runCommand } from './run-command.ts'

const KEY = 'the key of the stored secrets, 32'

/** In order: the last test writes all secrets anew. */
describe('the secrets of hooks and commands (SECRETS_KEY)', function () {
  this.timeout(240_000)
  let world: World
  let db: pg.Client
  let folder: ReturnType<typeof temporaryFolder>
  let hook: { id: number; secret: string }
  const outside = { ...process.env }
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    received.push({ headers: req.headers, body: Buffer.concat(chunks).toString() })
    res.end()
  })

  before(async () => {
    await new Promise<void>(done => receiver.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    world = await newWorld({
      settings: { channels: ['general'], hooks_allow: ['127.0.0.0/8'] },
      env: { SECRETS_KEY: KEY },
    })
    folder = temporaryFolder('bothy-secrets-')
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    const made = async <T>(path: string, body: object): Promise<T> => {
      const response = await world.ada.postJson(path, body)
      expect(response.status, path).to.be.oneOf([200, 201])
      return (await response.json()) as T
    }
    await made('/bots', { username: 'bell' })
    const { id } = await made<{ id: number }>('/hooks_in', { name: 'in', channel: 'general' })
    await made(`/hooks_in/${id}/sign_secret`, {})
    const draft = { name: 'out', url, format: 'standard', bot: 'bell', events: ['message.created'] }
    hook = await made('/hooks_out', draft)
    await made('/commands', { name: 'deploy', url, bot: 'bell' })
  })
  after(async () => {
    receiver.close()
    receiver.closeAllConnections()
    folder?.remove()
    await db?.end()
    await world?.end()
  })
  beforeEach(() => {
    Object.assign(process.env, world.backing.env, {
      DATABASE_ADMIN_URL: world.backing.adminDatabaseUrl,
      BACKUP_DIR: join(folder.path, 'backups'),
    })
  })
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (outside[name] === undefined) delete process.env[name]
    Object.assign(process.env, outside)
  })

  async function said(...words: string[]): Promise<string> {
    const { exitCode, output, fault } = await runCommand(words)
    expect(exitCode, `${words.join(' ')}: ${fault}`).to.equal(0)
    return output
  }
  const backUp = async (place: string) => {
    const output = await said('backup', '--to', join(folder.path, place), '--json')
    return (JSON.parse(output) as { path: string }).path
  }
  const manifestOf = (path: string) =>
    JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as { secrets: string[] | null }
  const newDatabase = (name: string) =>
    withDatabase(world.backing.adminDatabaseUrl, `bothy_${name}_${process.pid}`)
  const drop = (url: string) =>
    world.backing.admin(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
  async function finding(): Promise<Finding> {
    const { output } = await runCommand(['doctor', '--json'])
    const { findings } = JSON.parse(output) as { findings: Finding[] }
    return findings.find(({ part }) => part === 'stored secrets') ?? expect.fail('nothing about them')
  }

  it('are in the columns that the server knows', async () => {
    const { rows } = await db.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name like '%\\_enc'`,
    )
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
    expect(rows.map(({ name }) => name)).to.have.members(known)
  })

  it('sign as before on a fresh server that takes the key from an encrypted backup', async () => {
    process.env['BACKUP_PASSPHRASE'] = 'four words on paper'
    const path = await backUp('sealed')
    expect(manifestOf(path).secrets, 'as release 0.2.0 reads it').to.deep.equal(['session-secret'])
    const into = newDatabase('sealed')
    const to = join(folder.path, 'fresh')
    const fresh = await testBacking()
    const restore = ['restore', path, '--into', into, '--files', join(to, 'files')]
    try {
      expect(await said(...restore)).to.include('are in the backup: --settings-to writes them.')
      await drop(into)
      const output = await said(...restore, '--settings-to', to)
      expect(output).to.include('Keys: put session-secret and secrets-key where')
      const key = readFileSync(join(to, 'secrets-key'), 'utf8').trim()
      expect(key).to.equal(KEY)
      const app = new URL(world.backing.env.DATABASE_URL)
      app.pathname = new URL(into).pathname
      const env = {
        ...fresh.env,
        SETTINGS_FILE: world.backing.env.SETTINGS_FILE,
        DATABASE_URL: app.href,
        FILES_URL: pathToFileURL(join(to, 'files')).href,
        SESSION_SECRET: 'of the fresh server'.repeat(3),
        SECRETS_KEY: key,
      }
      const services: RunningService[] = []
      try {
        for (const name of ['api', 'previews'] as const) services.push(await startService(name, env))
        const ada = new Person('ada', services[0]!.url)
        await ada.postForm('/login', { username: 'ada', password: PASSWORD })
        const tried = await ada.postJson(`/hooks_out/${hook.id}/test`, {})
        expect(await tried.json()).to.include({ status: 200 })
      } finally {
        for (const service of services) await service.stop()
      }
      const [{ headers, body }] = received.splice(0) as [(typeof received)[number]]
      new Webhook(hook.secret).verify(body, headers as Record<string, string>)
    } finally {
      await drop(into)
      await fresh.drop()
    }
  })

  it('have no key in a backup that is not encrypted, and the commands say so', async () => {
    expect(await said('backup', '--to', join(folder.path, 'open'))).to.include(
      'without the keys (SESSION_SECRET, SECRETS_KEY)',
    )
    const path = await backUp('open')
    expect(manifestOf(path).secrets).to.equal(null)
    expect(existsSync(join(path, 'secrets.json.zst'))).to.equal(false)
    const into = newDatabase('open')
    const to = join(folder.path, 'without')
    try {
      const output = await said('restore', path, '--into', into, '--files', to, '--settings-to', to)
      expect(output).to.include('The backup has no keys')
      expect(existsSync(join(to, 'secrets-key'))).to.equal(false)
    } finally {
      await drop(into)
    }
  })

  it('are counted by the doctor where no key opens them', async () => {
    expect(await finding()).to.deep.equal({
      ...{ part: 'stored secrets', state: 'good', found: 'all 5 are under SECRETS_KEY' },
    })
    process.env['SECRETS_KEY'] = 'another key '.repeat(4)
    const lost = await finding()
    expect(lost.state).to.equal('fault')
    expect(lost.found).to.match(/^5 do not open under SECRETS_KEY, /)
    expect(lost.found).to.include('(1 of incoming hooks, 2 of outgoing hooks, 2 of commands). Allowed: ')
    expect(lost.next).to.match(/^Set that key, as SECRETS_KEY/)
  })

  it('are sealed anew by the janitor, after which the former key can go', async () => {
    delete process.env['SECRETS_KEY']
    const session = 'the new session key'.repeat(2)
    Object.assign(process.env, { SESSION_SECRET: session, SESSION_SECRET_PREVIOUS: KEY })
    const former = await finding()
    expect([former.state, former.found]).to.deep.equal(['warning', '5 are still under a former key'])
    const config = { secretsKey: undefined, sessionSecret: session, previousSessionSecret: KEY }
    const renew = () => renewSealed(db as unknown as Db, secretsUnder(config))
    await db.query(`update hooks_in set sign_secret_enc = set_byte(sign_secret_enc, 20, 0)`)
    const both = await Promise.all([renew(), renew()])
    expect(both[0]! + both[1]!, 'each once, and none that does not open').to.equal(4)
    expect(await renew()).to.equal(0)
    delete process.env['SESSION_SECRET_PREVIOUS']
    expect((await finding()).found).to.match(/^1 do not open .*\(1 of incoming hooks\)/)
    await db.query('update hooks_in set sign_secret_enc = null')
    expect((await finding()).found).to.equal('all 4 are under SESSION_SECRET')
  })
})
