import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { type Account, privateFolder, storeAccount } from '../dev-stores/store-account.ts'
import { runToEnd, temporaryFolder } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'
import { findPostgres, majorIn } from './debian-postgres.fixture.ts'

/** A backup of Debian's PostgreSQL, restored into that of the tests. */
describe('a new major version of PostgreSQL', function () {
  this.timeout(240_000)
  const office: NodeJS.ProcessEnv = {}
  let programs: string
  let account: Account | undefined
  let folder: string
  let remove: (() => void) | undefined
  let backing: TestBacking | undefined
  let api: RunningService | undefined
  const database = `bothy_moved_${process.pid}`

  before(async function () {
    backing = await testBacking()
    const found = findPostgres()
    if (found === undefined || majorIn(found) >= (await majorOf(backing.adminDatabaseUrl))) {
      console.log('  (not tried: there is no older PostgreSQL of Debian)')
      return this.skip()
    }
    programs = found
    account = storeAccount()
    ;({ path: folder, remove } = temporaryFolder('bothy-major-'))
    privateFolder(folder, account)
  })
  after(async () => {
    await api?.stop()
    if (existsSync(join(folder ?? '', 'data/postmaster.pid')))
      await run('pg_ctl', '-D', join(folder, 'data'), '-w', '-m', 'fast', 'stop')
    await backing?.admin(`drop database if exists ${database} with (force)`)
    await backing?.drop()
    remove?.()
  })

  async function majorOf(url: string): Promise<number> {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as major`)
    await client.end()
    return rows[0].major
  }

  /** Runs a program of Debian's server as the account of PostgreSQL. */
  async function run(program: string, ...args: string[]) {
    const env = { PATH: process.env['PATH'] }
    const { ok, output } = await runToEnd(join(programs, program), args, { ...account, cwd: folder, env })
    expect(ok, `${program} ${args.join(' ')}\n${output}`).to.equal(true)
  }

  async function admin<T>(...words: string[]): Promise<T> {
    const args = [join(ROOT, 'infra/tools/admin.ts'), ...words, '--json']
    const { ok, output } = await runToEnd(process.execPath, args, { env: { ...process.env, ...office } })
    expect(ok, output).to.equal(true)
    return JSON.parse(output) as T
  }

  it('takes the backup of the one before: people sign in, and find their messages and files', async () => {
    const [data, port] = [join(folder, 'data'), await freePort()]
    await run('initdb', ...['-D', data, '-U', 'bothy', '-A', 'trust', '--encoding=UTF8', '--locale=C.UTF-8'])
    appendFileSync(
      join(data, 'postgresql.conf'),
      `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\n`,
    )
    await run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'postgres.log'), 'start')
    const former = `postgres://bothy@127.0.0.1:${port}/postgres`
    expect(await majorOf(former)).to.equal(majorIn(programs))

    const { env, adminDatabaseUrl } = backing!
    api = await startService('api', { ...env, DATABASE_URL: former })
    const ada = await new Person('ada', api.url).signUp()
    await ada.send('general', 'Größe: 5 m², “ünïcödé”')
    await ada.sendFiles('general', [{ name: 'plan.txt', bytes: 'Paint the door green.' }])
    const before = await ada.messages('general')
    Object.assign(office, env, { DATABASE_URL: former, BACKUP_DIR: join(folder, 'backups') })
    const { path } = await admin<{ path: string }>('backup')
    await api.stop()
    await run('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop')

    const files = join(folder, 'files')
    await admin('restore', path, '--into', withDatabase(adminDatabaseUrl, database), '--files', files)
    const moved = {
      DATABASE_URL: withDatabase(env.DATABASE_URL, database),
      REDIS_PREFIX: `${env.REDIS_PREFIX}m:`,
    }
    api = await startService('api', { ...env, ...moved, FILES_URL: pathToFileURL(files).href })
    const again = new Person('ada', api.url)
    expect((await again.postForm('/login', { username: 'ada', password: PASSWORD })).status).to.equal(302)
    expect(await again.messages('general')).to.deep.equal(before)
    const { filename } = before.findLast(row => row.filename)!
    expect(await (await again.fetch(`/files/${filename}`)).text()).to.equal('Paint the door green.')
    expect(await again.get<object[]>('/search_messages?q=ünïcödé')).to.have.length(1)
    await again.send('general', 'on we go')
  })
})
