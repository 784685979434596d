import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { startService } from '#shared/test-kit/processes.ts'
import { startS3 } from '#shared/test-kit/s3.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { temporaryFolder } from '../processes/children.ts'
import { examineCalls } from './doctor/calls.ts'
import type { Finding } from './doctor/finding.ts'
import { examineHttps } from './doctor/https.ts'
import { examine as examineInfo } from './doctor/redis.ts'
import { runCommand } from './run-command.ts'

describe('the doctor (npm run admin)', function () {
  this.timeout(60_000)
  let backing: TestBacking
  let folder: ReturnType<typeof temporaryFolder>
  const outside = { ...process.env }
  const OURS = [
    ...['BACKUP_DIR', 'PORT', 'LOG_LEVEL', 'TRUST_PROXYS', 'PUBLIC_URL', 'SETTINGS_FILE'],
    ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
  ]

  before(async () => {
    backing = await testBacking()
    folder = temporaryFolder('bothy-doctor-')
  })
  after(async () => {
    folder.remove()
    await backing.drop()
  })
  beforeEach(() => {
    Object.assign(process.env, backing.env)
  })
  afterEach(() => {
    for (const name of [...Object.keys(backing.env), ...OURS]) {
      if (outside[name] === undefined) delete process.env[name]
      else process.env[name] = outside[name]
    }
  })

  async function findings(): Promise<{ exitCode: number; ok: boolean; of: (part: string) => Finding }> {
    const { exitCode, output } = await runCommand(['doctor', '--json'])
    const found = JSON.parse(output) as { ok: boolean; findings: Finding[] }
    for (const { part, state, next } of found.findings)
      if (state === 'warning' || state === 'fault') expect(next, part).to.be.a('string').and.not.equal('')
    const of = (part: string) =>
      found.findings.find(one => one.part === part) ?? expect.fail(`nothing about ${part}`)
    return { exitCode, ok: found.ok, of }
  }

  it('finds what is well and what is not, each with a next step', async () => {
    const { of, ok, exitCode } = await findings()
    for (const part of ['variables', 'settings', 'secrets', 'redis', 'clock', 'schema', 'connections'])
      expect(of(part).state, part).to.equal('good')
    expect(of('backup').found).to.equal('no nightly backup was proven by a restore yet')
    // Stores of tests do without.
    expect(of('durability').state).to.equal('fault')
    expect({ ok, exitCode }).to.deep.equal({ ok: false, exitCode: 1 })
    const { output } = await runCommand(['doctor'])
    expect(output).to.match(/^FAULT {3}durability: fsync is off.*\n {8}→ Set both to on/m)
  })

  it('looks at the buckets of files and backups, and names variables that are almost known', async () => {
    const s3 = await startS3()
    try {
      const [files, backups] = [s3.urlOf('office'), s3.urlOf('nightly')]
      Object.assign(process.env, s3.keys, { FILES_URL: files, BACKUP_DIR: backups, TRUST_PROXYS: '1' })
      const first = await findings()
      expect(first.of('files').found).to.equal(
        'the bucket bothy/office/ can be listed, written, read and cleared',
      )
      expect(first.of('backup bucket').state).to.equal('good')
      expect(first.of('backup place').found).to.equal('backups are in the bucket of the files')
      expect(first.of('variables')).to.include({
        state: 'warning',
        found: 'TRUST_PROXYS is no variable: is TRUST_PROXY meant?',
      })
      expect(s3.requests.filter(line => line.startsWith('DELETE'))).to.have.length(2)
      s3.door = 'refuse'
      process.env['BACKUP_DIR'] = files
      const { of } = await findings()
      expect(of('files')).to.include({ state: 'fault', found: 'the bucket refuses: 503 SlowDown' })
      expect(of('backup place').state).to.equal('fault')
      delete process.env['AWS_ACCESS_KEY_ID']
      expect((await findings()).of('files').found).to.equal('AWS_ACCESS_KEY_ID is missing')
    } finally {
      await s3.stop()
    }
  })

  it('names each mistake, and repeats no secret', async () => {
    const settings = join(folder.path, 'settings.json')
    writeFileSync(settings, '{"retention_day": 3}')
    const files = join(folder.path, 'no-folder')
    writeFileSync(files, '')
    Object.assign(process.env, {
      SETTINGS_FILE: settings,
      FILES_URL: pathToFileURL(files).href,
      SESSION_SECRET: 'tooshort',
      REDIS_URL: 'redis://:hushhush@127.0.0.1:1',
      DATABASE_URL: 'postgres://bothy:hushhush@127.0.0.1:1/bothy',
      LOG_LEVEL: 'loud',
    })
    const { of } = await findings()
    const states = {
      settings: 'warning',
      files: 'fault',
      secrets: 'fault',
      redis: 'fault',
      database: 'fault',
      variables: 'fault',
    }
    for (const [part, state] of Object.entries(states)) expect(of(part).state, part).to.equal(state)
    expect(of('settings').found).to.include('retention_day is no setting')
    expect(of('variables').found).to.include('LOG_LEVEL: debug, info, warn or error')
    const { output } = await runCommand(['doctor'])
    expect(output).to.not.include('hushhush').and.not.include('tooshort')
  })

  it('warns of a session key that everybody may read, except in a container, whose volume decides', async () => {
    const key = join(folder.path, 'session-secret')
    writeFileSync(key, 'x'.repeat(40), { mode: 0o444 })
    delete process.env['SESSION_SECRET']
    process.env['SESSION_SECRET_FILE'] = key
    try {
      expect((await findings()).of('secrets').next).to.equal(`chmod 600 ${key}`)
      process.env['PUBLISHED_PORT'] = '3000'
      expect((await findings()).of('secrets').state).to.equal('good')
    } finally {
      delete process.env['SESSION_SECRET_FILE']
      delete process.env['PUBLISHED_PORT']
    }
  })

  it('tells when a backup was last proven, and which migrations wait', async () => {
    await backing.admin(
      `insert into backups (asked_ts, ok, verified_ts) values (1, true, extract(epoch from clock_timestamp()) - 7300);
       delete from schema_migrations where name = '0120_works_from.sql'`,
    )
    const { of } = await findings()
    expect(of('backup')).to.deep.include({ state: 'good', found: 'restore last proven 2 h ago' })
    expect(of('schema').found).to.equal('1 migrations are pending: 0120_works_from.sql')
    await backing.admin(`insert into schema_migrations (name) values ('9999_next.sql')`)
    expect((await findings()).of('schema')).to.include({ state: 'fault' })
  })

  it('says what to do for calls and notifications, and examines the certificate of the authority', () => {
    const states = (env: NodeJS.ProcessEnv) => examineHttps(env).map(({ part, state }) => [part, state])
    expect(states({})).to.deep.equal([['https', 'warning']])
    expect(states({ PUBLIC_URL: 'http://chat.lan' })).to.deep.equal([['https', 'warning']])
    const https = { PUBLIC_URL: 'https://chat.lan' }
    expect(states({ ...https, AUTHORITY_CERTIFICATE: 'http://caddy:2080/authority.crt' })).to.deep.equal([
      ['https', 'good'],
    ])
    const file = join(folder.path, 'root.crt')
    const judged = (content: string) => {
      writeFileSync(file, content)
      return states({ ...https, AUTHORITY_CERTIFICATE: file })[1]
    }
    expect(judged('nothing')).to.deep.equal(['authority', 'fault'])
    const ends = (pem: string) => Date.parse(new X509Certificate(pem).validTo)
    const longest = rootCertificates.toSorted((a, b) => ends(b) - ends(a))[0]!
    expect(judged(longest)).to.deep.equal(['authority', 'good'])
  })

  it('asks STUN where bothy runs, and else looks whether its port is free', async () => {
    const taken = createSocket('udp4')
    await new Promise<void>(done => taken.bind(0, '127.0.0.1', done))
    const { port } = taken.address()
    const stateOf = async (isRunning: boolean, env: NodeJS.ProcessEnv = {}) =>
      (await examineCalls(isRunning, port, env)).state
    try {
      expect(await stateOf(false)).to.equal('warning')
      expect(await stateOf(true), 'something else has the port').to.equal('warning')
      expect(await stateOf(true, { PUBLISHED_PORT: '3000' }), 'in a container').to.equal('skipped')
    } finally {
      taken.close()
    }
    expect(await stateOf(false)).to.equal('good')
    const stun = await startService('stun', { STUN_PORT: String(port) })
    try {
      expect(await stateOf(true)).to.equal('good')
      expect(await stateOf(true, { STUN_BIND: '127.0.0.1, ::1' })).to.equal('good')
    } finally {
      await stun.stop()
    }
  })

  it('warns of open sign-up at a public name, and knows which value applies', async () => {
    const stateAt = async (address: string) => {
      process.env['PUBLIC_URL'] = address
      return (await findings()).of('sign-up').state
    }
    expect((await findings()).of('sign-up').state).to.equal('good')
    // Compose passes an empty one on.
    for (const address of ['', 'https://chat.lan']) expect(await stateAt(address), address).to.equal('good')
    expect(await stateAt('chat.example.org'), 'another line names this mistake').to.equal('good')
    expect(await stateAt('https://chat.example.org')).to.equal('warning')
    await backing.admin(
      `insert into workspace_settings (key, value, changed_by, changed_ts) values ('signup_mode', '"invite"', 'ada', 1)`,
    )
    expect(await stateAt('https://chat.example.org')).to.equal('good')
    const settings = join(folder.path, 'open.json')
    writeFileSync(settings, '{"signup_mode": "open"}')
    process.env['SETTINGS_FILE'] = settings
    expect(await stateAt('https://chat.example.org'), 'settings.json goes first').to.equal('warning')
  })

  it('knows a Redis that forgets or is a cluster', () => {
    const states = (info: Record<string, string>) => examineInfo(info).map(({ part, state }) => [part, state])
    expect(
      states({
        redis_version: '7.0.15',
        maxmemory: '512',
        maxmemory_policy: 'noeviction',
        aof_enabled: '1',
        aof_last_write_status: 'ok',
      }),
    ).to.deep.equal([
      ['redis', 'good'],
      ['redis memory', 'good'],
      ['redis disk', 'good'],
    ])
    expect(
      states({ redis_version: '5.0.1', maxmemory: '512', maxmemory_policy: 'allkeys-lru', aof_enabled: '0' }),
    ).to.deep.equal([
      ['redis', 'fault'],
      ['redis memory', 'fault'],
      ['redis disk', 'warning'],
    ])
    expect(states({ redis_version: '7.0.15', maxmemory: '0', cluster_enabled: '1' })[0]).to.deep.equal([
      'redis',
      'fault',
    ])
  })
})
