import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { hasApt, unpackedEnvironment, unpackPackage } from '../dev-stores/debian.ts'
import { type Account, privateFolder, storeAccount } from '../dev-stores/store-account.ts'
import { runToEnd, temporaryFolder } from '../processes/children.ts'
import { DATA } from '../processes/data-folder.ts'
import { freePort } from '../processes/free-port.ts'
import { findPostgres } from './debian-postgres.fixture.ts'

/** Debian's PostgreSQL and pgBackRest with the configuration of the operator's guide. */
describe('point-in-time recovery with pgBackRest', function () {
  this.timeout(240_000)
  let programs: string
  let rest: { path: string; env: NodeJS.ProcessEnv }
  let account: Account | undefined
  let folder: string
  let remove: (() => void) | undefined
  let url: string
  let backing: TestBacking | undefined
  let api: RunningService | undefined

  before(async function () {
    const postgres = findPostgres()
    const backRest = await findPgBackRest()
    if (postgres === undefined || backRest === undefined) {
      console.log('  (not tried: PostgreSQL of Debian or pgBackRest is not there)')
      return this.skip()
    }
    programs = postgres
    rest = backRest
    account = storeAccount()
    ;({ path: folder, remove } = temporaryFolder('bothy-pitr-'))
    privateFolder(folder, account)
    for (const name of ['repo', 'lock', 'log']) privateFolder(join(folder, name), account)
    backing = await testBacking()
  })
  after(async () => {
    await api?.stop()
    if (existsSync(join(folder ?? '', 'data/postmaster.pid'))) await postgres('stop')
    await backing?.drop()
    remove?.()
  })

  /** Runs a program as the account of PostgreSQL. */
  async function run(program: string, args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], ...rest.env }
    const { ok, output } = await runToEnd(program, args, { ...account, cwd: folder, env })
    expect(ok, `${program} ${args.join(' ')}\n${output}`).to.equal(true)
    return output
  }
  const postgres = (verb: 'start' | 'stop') =>
    run(join(programs, 'pg_ctl'), [
      ...['-D', join(folder, 'data'), '-w', '-t', '60', verb],
      ...(verb === 'start' ? ['-l', join(folder, 'log/postgres')] : ['-m', 'fast']),
    ])
  const backRest = (...args: string[]) =>
    run(rest.path, [`--config=${join(folder, 'pgbackrest.conf')}`, '--stanza=bothy', ...args])
  async function sql<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }

  it('brings back every message acknowledged before a mistake, and none after it', async () => {
    const port = await freePort()
    const data = join(folder, 'data')
    await run(join(programs, 'initdb'), [
      ...[
        '-D',
        data,
        '-U',
        'bothy',
        '-A',
        'trust',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        '--data-checksums',
      ],
    ])
    const example = readFileSync(join(ROOT, 'infra/settings/pgbackrest.example.conf'), 'utf8')
    const config = example
      .replace(
        /^repo1-path=.*$/m,
        `repo1-path=${folder}/repo\nlog-path=${folder}/log\nlock-path=${folder}/lock`,
      )
      .replace(/^pg1-path=.*$/m, `pg1-path=${data}\npg1-user=bothy\npg1-database=postgres`)
      .replace(/^pg1-port=.*$/m, `pg1-port=${port}`)
      .replace(/^pg1-socket-path=.*$/m, `pg1-socket-path=${folder}`)
    writeFileSync(join(folder, 'pgbackrest.conf'), config, { mode: 0o644 })
    const libraries = Object.entries(rest.env).map(([name, value]) => `${name}=${value}`)
    const push = `${libraries.join(' ')} ${rest.path} --config=${folder}/pgbackrest.conf --stanza=bothy archive-push %p`
    appendFileSync(
      join(data, 'postgresql.conf'),
      `port = ${port}
       listen_addresses = '127.0.0.1'
       unix_socket_directories = '${folder}'
       archive_mode = on
       archive_timeout = 60
       archive_command = '${push}'
`,
    )
    url = `postgres://bothy@127.0.0.1:${port}/postgres`
    await postgres('start')
    await sql('create database bothy')
    url = `postgres://bothy@127.0.0.1:${port}/bothy`
    await backRest('stanza-create')
    await backRest('check')

    const env = { ...backing!.env, DATABASE_URL: url }
    api = await startService('api', env)
    const ada = await new Person('ada', api.url).signUp()
    const send = async (word: string, count: number) => {
      for (let i = 0; i < count; i++) await ada.send('general', `${word} ${i}`)
    }
    await send('before the backup', 20)
    await backRest('--type=full', 'backup')
    const [{ ended }] = (await sql<{ ended: string }>('select clock_timestamp()::text as ended')) as [
      { ended: string },
    ]
    await send('after the backup', 30)
    // pgBackRest notes the end of a backup in whole seconds, and restores to later moments only.
    const later = `select clock_timestamp() > '${ended}'::timestamptz + interval '2 seconds' as late`
    await eventually(async () => expect((await sql<{ late: boolean }>(later))[0]!.late).to.equal(true))
    const [{ point }] = (await sql<{ point: string }>('select clock_timestamp()::text as point')) as [
      { point: string },
    ]
    await pause(1_000)
    await send('after the mistake', 3)
    await sql('delete from messages')
    await api.stop()
    await sql('select pg_switch_wal()')

    const began = performance.now()
    await postgres('stop')
    await backRest('restore', '--delta', '--type=time', `--target=${point}`, '--target-action=promote')
    await postgres('start')
    for (let recovering = true; recovering; await pause(50))
      recovering = (await sql<{ on: boolean }>('select pg_is_in_recovery() as on'))[0]!.on
    const took = performance.now() - began
    console.log(`  (restored to the moment in ${(took / 1000).toFixed(1)} s)`)

    api = await startService('api', env)
    const eve = Object.assign(new Person('ada', api.url), { cookie: ada.cookie })
    const rows = await sql<{ content: string }>('select content from messages order by id')
    const texts = rows.map(({ content }) => content).filter(text => / (backup|mistake) \d+$/.test(text))
    expect(texts).to.deep.equal([
      ...Array.from({ length: 20 }, (_, i) => `before the backup ${i}`),
      ...Array.from({ length: 30 }, (_, i) => `after the backup ${i}`),
    ])
    await eve.send('general', 'on we go')
    await backRest('check')
  })
})

/** From the PATH, else unpacked from Debian's package. */
async function findPgBackRest() {
  if (spawnSync('pgbackrest', ['version']).status === 0) return { path: 'pgbackrest', env: {} }
  if (!hasApt()) return undefined
  const folder = join(DATA, 'pgbackrest')
  const path = join(folder, 'usr/bin/pgbackrest')
  try {
    if (!existsSync(path)) await unpackPackage('pgbackrest', folder)
  } catch {
    return undefined
  }
  const env = unpackedEnvironment(folder)
  return spawnSync(path, ['version'], { env }).status === 0 ? { path, env } : undefined
}
