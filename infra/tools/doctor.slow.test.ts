import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { databaseOf } from '#shared/runtime/database-url.ts'
import { WRONG } from '#shared/runtime/mistakes.fixture.ts'
import { SETTING_NAMES, settingsFrom } from '#shared/runtime/settings.ts'
import type { VariableName } from '#shared/runtime/variables.ts'
import { drillDatabaseOf } from '#shared/stores/roles.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { startS3 } from '#shared/test-kit/s3.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { temporaryFolder } from '../processes/children.ts'
import { examineCalls } from './doctor/calls.ts'
import type { Finding } from './doctor/finding.ts'
import { examineHttps } from './doctor/https.ts'
import { unmountedAbove } from './doctor/mounts.ts'
import { examine as examineInfo } from './doctor/redis.ts'
import { runCommand } from './run-command.ts'

describe('the doctor (npm run admin)', function () {
  this.timeout(180_000)
  let backing: TestBacking
  let folder: ReturnType<typeof temporaryFolder>
  const outside = { ...process.env }

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
    for (const name of Object.keys(process.env)) if (outside[name] === undefined) delete process.env[name]
    Object.assign(process.env, outside)
  })

  async function findings() {
    const { exitCode, output } = await runCommand(['doctor', '--json'])
    const found = JSON.parse(output) as { ok: boolean; findings: Finding[] }
    for (const { part, state, next } of found.findings)
      if (state === 'warning' || state === 'fault') expect(next, part).to.be.a('string').and.not.equal('')
    const of = (part: string) =>
      found.findings.find(one => one.part === part) ?? expect.fail(`nothing about ${part}`)
    /** The line that names a variable. */
    const lineOf = (name: string) =>
      found.findings
        .filter(({ state }) => state === 'warning' || state === 'fault')
        .map(({ found, next }) => `${found} ${next}`)
        .find(line => line.startsWith(`${name}=`)) ?? expect.fail(`nothing about ${name}`)
    return { exitCode, ok: found.ok, of, lineOf }
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
    expect(output).to.match(/^FAULT {3}durability: fsync is off.* → Set both to on/m)
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
      expect((await findings()).of('files').found).to.match(/^AWS_ACCESS_KEY_ID is missing\. Allowed: /)
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
      secrets: 'skipped',
      redis: 'fault',
      database: 'fault',
      variables: 'fault',
    }
    for (const [part, state] of Object.entries(states)) expect(of(part).state, part).to.equal(state)
    expect(of('settings').found).to.match(/^retention_day=3 in .*settings.json is no setting\. Allowed: /)
    expect(of('settings').next).to.equal('Is retention_days meant?')
    expect(of('variables').found).to.equal(
      'LOG_LEVEL=loud is not usable. Allowed: debug, info, warn or error.',
    )
    const { output } = await runCommand(['doctor'])
    expect(output).to.not.include('hushhush').and.not.include('tooshort')
  })

  it('tells of every variable that is broken, in three ways, all at once, each in one line', async () => {
    const names = Object.keys(WRONG) as VariableName[]
    for (const way of [0, 1, 2]) {
      Object.assign(
        process.env,
        backing.env,
        Object.fromEntries(names.map(name => [name, WRONG[name]![way]])),
      )
      const { exitCode, lineOf } = await findings()
      expect(exitCode).to.equal(1)
      for (const name of names)
        expect(lineOf(name), name).to.match(/ Allowed: .+\. (Correct it|Correct or remove it)\.$/)
      const { output } = await runCommand(['doctor'])
      expect(output).to.not.match(/heather|^ +at |node:internal/m)
      for (const line of output.trim().split('\n'))
        expect(line).to.match(/^((ok {5}|WARNING|FAULT {2}|- {6}) [a-z ]+: .*|\d+ faults, \d+ warnings\.)$/)
    }
  })

  it('tells of every variable that leads nowhere, and goes on', async () => {
    const noFolder = join(folder.path, 'a-file')
    writeFileSync(noFolder, '')
    const below = join(noFolder, 'below')
    const taken = createServer().listen(0)
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    const nowhere = {
      DATABASE_URL: 'postgres://bothy:heather@127.0.0.1:1/bothy',
      DATABASE_ADMIN_URL: 'postgres://bothy:heather@127.0.0.1:1/bothy',
      REDIS_URL: 'redis://:heather@127.0.0.1:1',
      PREVIEWS_REDIS_URL: 'redis://:heather@127.0.0.1:1',
      THUMBNAILS_REDIS_URL: 'redis://:heather@127.0.0.1:1',
      LISTEN_HOST: '192.0.2.1',
      STUN_BIND: '192.0.2.1',
      PUBLIC_URL: 'http://127.0.0.1:1/',
      AUTHORITY_CERTIFICATE: below,
      SETTINGS_FILE: below,
      FILES_URL: pathToFileURL(below).href,
      BACKUP_DIR: below,
      BOTHY_DATA: below,
      BACKUP_PASSPHRASE_FILE: below,
      PORT: port,
      METRICS_PORT: port,
    }
    try {
      Object.assign(process.env, nowhere, { SESSION_SECRET_FILE: folder.path })
      delete process.env['SESSION_SECRET']
      const { exitCode, lineOf } = await findings()
      expect(exitCode).to.equal(1)
      for (const [name, value] of Object.entries({ ...nowhere, SESSION_SECRET_FILE: folder.path })) {
        const line = lineOf(name)
        expect(line, name)
          .to.include(value.replace(/\/\/.*@/, '//…@'))
          .and.include(' Allowed: ')
        expect(line, name)
          .to.match(/\. [A-Z][^.]*.*$/)
          .and.not.include('heather')
      }
    } finally {
      taken.close()
    }
    Object.assign(process.env, backing.env, { SETTINGS_FILE: '', DATABASE_URL: '', DATABASE_URL_FILE: below })
    expect((await findings()).lineOf('DATABASE_URL_FILE')).to.include(below)
  })

  it('tells a wrong password from a server that is away', async () => {
    const redis = new URL(backing.env.REDIS_URL)
    redis.username = 'nobody'
    redis.password = 'heather'
    const database = new URL(backing.env.DATABASE_URL)
    database.username = 'nobody_of_this_name'
    database.password = 'heather'
    Object.assign(process.env, { REDIS_URL: redis.href, DATABASE_URL: database.href })
    const refused = await findings()
    expect(refused.lineOf('REDIS_URL')).to.include('Redis refuses user or password (WRONGPASS')
    expect(refused.lineOf('DATABASE_URL')).to.include('nobody_of_this_name')
    Object.assign(process.env, {
      REDIS_URL: 'redis://127.0.0.1:1',
      DATABASE_URL: 'postgres://bothy@no-such-host.invalid/bothy',
    })
    const away = await findings()
    expect(away.lineOf('REDIS_URL')).to.include('nothing listens there (ECONNREFUSED)')
    expect(away.lineOf('DATABASE_URL')).to.match(/there is no such host|name server does not answer/)
  })

  it('tells of each key of settings.json, all at once', async () => {
    const settings = join(folder.path, 'wrong.json')
    process.env['SETTINGS_FILE'] = settings
    for (const wrong of [[[]], -1e15, 'x'.repeat(99)]) {
      writeFileSync(settings, JSON.stringify(Object.fromEntries(SETTING_NAMES.map(key => [key, wrong]))))
      const { output } = await runCommand(['doctor', '--json'])
      const lines = (JSON.parse(output) as { findings: Finding[] }).findings
        .filter(({ part }) => part === 'settings')
        .map(({ found, next }) => `${found} ${next}`)
      for (const key of SETTING_NAMES)
        if (settingsFrom({ [key]: wrong }).faults.length > 0)
          expect(
            lines.find(line => line.startsWith(`${key}=`)),
            key,
          ).to.match(/ in .*wrong\.json is not usable\. Allowed: .+\. .+\.$/)
    }
    writeFileSync(settings, '{"preview_allow": ["10.0.0.0/99"], "locked_settings": ["retention_day"]}')
    const { output } = await runCommand(['doctor'])
    expect(output)
      .to.include('preview_allow: "10.0.0.0/99" is not usable')
      .and.include('Is retention_days meant?')
    writeFileSync(settings, '{"retention_days": 3')
    expect((await findings()).of('settings')).to.include({ state: 'fault' })
  })

  it('tells that the folder of backups cannot be written, is not mounted, or lost its newest backup', async () => {
    const backups = join(folder.path, 'backups')
    process.env['BACKUP_DIR'] = backups
    expect((await findings()).of('backup folder').state).to.equal('skipped')
    mkdirSync(backups)
    expect((await findings()).of('backup folder').state).to.equal('good')
    await backing.admin(
      `insert into backups (asked_ts, started_ts, done_ts, ok, path) values (1, 1, 1, true, '${join(backups, '2026-11-23T02-00-04Z')}')`,
    )
    expect((await findings()).lineOf('BACKUP_DIR')).to.include('2026-11-23T02-00-04Z is gone')
    const tables = {
      wanted: '# disks\nUUID=1 / ext4\nUUID=2 /mnt/back\\040ups/ ext4 defaults 0 2\nUUID=3 none swap sw',
      mounted: '/dev/sda1 / ext4 rw 0 0',
    }
    expect(unmountedAbove('/mnt/back ups/bothy', tables)).to.equal('/mnt/back ups')
    expect(unmountedAbove('/mnt/backups', tables)).to.equal(undefined)
    const mounted = `${tables.mounted}\n/dev/sdb /mnt/back\\040ups ext4 rw 0 0`
    expect(unmountedAbove('/mnt/back ups/bothy', { ...tables, mounted })).to.equal(undefined)
    if (process.getuid?.() === 0) return
    chmodSync(backups, 0o500)
    expect((await findings()).lineOf('BACKUP_DIR')).to.include('this account may not (EACCES)')
  })

  it('tells of a missing database for drills', async () => {
    const { username } = new URL(backing.env.DATABASE_URL)
    const name = drillDatabaseOf(databaseOf(backing.env.DATABASE_URL))
    const { of } = await findings()
    expect(of('drills')).to.include({ state: 'warning' })
    expect(of('drills').found).to.include(`there is no database ${name} of the role ${username}`)
    expect(of('drills').next).to.include(`create database ${name} owner ${username} template template0`)
    await backing.admin(`create database ${name} owner ${username} template template0`)
    try {
      expect((await findings()).of('drills').state).to.equal('good')
    } finally {
      await backing.admin(`drop database ${name}`)
    }
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
       delete from schema_migrations where name = '0001_baseline.sql'`,
    )
    const { of } = await findings()
    expect(of('backup')).to.deep.include({ state: 'good', found: 'restore last proven 2 h ago' })
    expect(of('schema').found).to.equal('1 migrations are pending: 0001_baseline.sql')
    await backing.admin(`insert into schema_migrations (name) values ('9999_next.sql')`)
    expect((await findings()).of('schema')).to.include({ state: 'fault' })
  })

  it('says what to do for calls and notifications, and examines the certificate of the authority', async () => {
    const states = async (env: NodeJS.ProcessEnv) =>
      (await examineHttps(env)).map(({ part, state }) => [part, state])
    expect(await states({})).to.deep.equal([['https', 'warning']])
    expect(await states({ PUBLIC_URL: 'http://chat.lan' })).to.deep.equal([['https', 'warning']])
    const https = { PUBLIC_URL: 'https://chat.lan' }
    const ofCaddy = { ...https, AUTHORITY_CERTIFICATE: 'http://127.0.0.1:1/authority.crt' }
    expect(await states({ ...ofCaddy, PUBLISHED_PORT: '3000' })).to.deep.equal([['https', 'good']])
    expect(await states(ofCaddy)).to.deep.equal([
      ['https', 'good'],
      ['authority', 'warning'],
    ])
    const file = join(folder.path, 'root.crt')
    const judged = async (content: string) => {
      writeFileSync(file, content)
      return (await states({ ...https, AUTHORITY_CERTIFICATE: file }))[1]
    }
    expect(await judged('nothing')).to.deep.equal(['authority', 'fault'])
    const ends = (pem: string) => Date.parse(new X509Certificate(pem).validTo)
    const longest = rootCertificates.toSorted((a, b) => ends(b) - ends(a))[0]!
    expect(await judged(longest)).to.deep.equal(['authority', 'good'])
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
    expect(await stateAt('https://chat.example.org'), 'the choice of the client goes first').to.equal('good')
    writeFileSync(settings, '{"signup_mode": "open", "locked_settings": ["signup_mode"]}')
    expect(await stateAt('https://chat.example.org'), 'the file locks it').to.equal('warning')
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
