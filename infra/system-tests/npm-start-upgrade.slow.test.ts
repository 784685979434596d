import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { type Load, load } from '#shared/test-kit/load.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { Product } from '#shared/test-kit/product.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { temporaryFolder } from '../processes/children.ts'
import { freePorts } from '../processes/free-port.ts'

const NEXT = '999.0.0'

/** `npm run admin -- upgrade` of an `npm start` in which people write. The next release is a copy of this one. */
describe('an upgrade of npm start', function () {
  this.timeout(240_000)
  let backing: TestBacking
  let folder: ReturnType<typeof temporaryFolder>
  let product: Product
  let url: string
  let release: string
  let ada: Person
  let metricsPort: number

  beforeEach(async () => {
    backing = await testBacking()
    folder = temporaryFolder('bothy-upgrade-')
    metricsPort = await freePorts(6)
    product = new Product(join(folder.path, 'data'), { ...backing.env, METRICS_PORT: String(metricsPort) })
    url = await product.start()
    ada = await new Person('ada', url).signUp()
    release = copyOfThis()
  })
  afterEach(async () => {
    await product.stop()
    folder.remove()
    await backing.drop()
  })

  /** Without tests, data and history; the dependencies are linked. */
  function copyOfThis(): string {
    const copy = join(folder.path, 'next')
    const left = /^(?:\.git|\.data|node_modules|docs)(?:\/|$)|\.log$/
    cpSync(ROOT, copy, { recursive: true, filter: path => !left.test(relative(ROOT, path)) })
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    const write = (path: string, text: string) => writeFileSync(join(copy, path), text)
    write(
      'package.json',
      JSON.stringify({ type: 'module', version: NEXT, imports: { '#shared/*': './shared/*' } }),
    )
    write(
      'shared/stores/migrations/9001_notes.sql',
      `-- works from ${VERSION}\ncreate table notes (id bigint primary key);`,
    )
    return copy
  }
  const inRelease = (path: string, text: string) => writeFileSync(join(release, path), text)

  /** `act` is called once, when the command has said `line`. */
  async function upgrade(
    line?: string,
    act: (child: ChildProcess) => unknown = child => child.kill('SIGKILL'),
  ): Promise<{ code: number | null; output: string }> {
    const args = [join(ROOT, 'infra/tools/admin.ts'), 'upgrade', release, '--despite-faults']
    const child = spawn(process.execPath, args, {
      env: {
        ...process.env,
        ...backing.env,
        BOTHY_DATA: join(folder.path, 'data'),
        BACKUP_DIR: join(folder.path, 'backups'),
        DATABASE_ADMIN_URL: backing.adminDatabaseUrl,
      },
    })
    let output = ''
    let hasActed = false
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (hasActed || line === undefined || !output.includes(line)) return
        hasActed = true
        act(child)
      })
    const [code] = await once(child, 'close')
    return { code, output }
  }

  const version = async () => ((await (await fetch(`${url}/version`)).json()) as { version: string }).version
  async function tables(...names: string[]) {
    const db = new pg.Client(backing.adminDatabaseUrl)
    await db.connect()
    try {
      const { rows } = await db.query(
        'select count(to_regclass(name))::int as there from unnest($1::text[]) as name',
        [names],
      )
      return rows[0].there as number
    } finally {
      await db.end()
    }
  }
  async function databases(): Promise<string[]> {
    const db = new pg.Client(backing.adminDatabaseUrl)
    await db.connect()
    try {
      return (await db.query<{ datname: string }>('select datname from pg_database')).rows.map(
        ({ datname }) => datname,
      )
    } finally {
      await db.end()
    }
  }
  /** From an upgrade whose migration this release does not have, and runs on. */
  async function wentBackEarlier() {
    const [name, sql] = ['9000_earlier.sql', 'create table earlier (id bigint primary key);']
    inRelease(`shared/stores/migrations/${name}`, `-- works from ${VERSION}\n${sql}`)
    const db = new pg.Client(backing.adminDatabaseUrl)
    await db.connect()
    try {
      await db.query(`${sql} grant select on earlier to public;
                      insert into schema_migrations (name, works_from) values ('${name}', '${VERSION}')`)
    } finally {
      await db.end()
    }
  }
  /** Away means 503 or a lost connection, and no other fault; nothing that was acknowledged is gone. */
  async function ends(people: Load, output: string) {
    const { lost, seen } = await people.end()
    expect(
      people.failed.filter(fault => !/ 503|fetch failed/.test(fault)),
      output,
    ).to.deep.equal([])
    expect(lost, output).to.equal(0)
    expect(seen, 'the stream opens again by itself').to.include(people.sent.at(-1))
  }
  const robots = async () => ((await ada.get('/users')) as string[]).filter(name => name.startsWith('check-'))

  it('stops, backs up, migrates and starts: nothing acknowledged is lost, and no robot stays', async () => {
    const people = load(ada, url)
    const away = page()
    const { code, output } = await upgrade()
    expect(code, output).to.equal(0)
    await ends(people, output)
    expect((await away).text).to.include('bothy is not reachable at the moment')
    expect((await away).retryAfter).to.equal('1')
    expect(output)
      .to.include('Migrations: 9001_notes.sql.')
      .and.include('Backup: ')
      .and.include('Smoke test: sign in')
    expect(await version()).to.equal(NEXT)
    expect(await tables('notes')).to.equal(1)
    expect(await robots()).to.deep.equal([])
    for (const port of Array.from({ length: 6 }, (_, i) => metricsPort + i)) {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(text, `the port of before: ${port}`).to.include(`bothy_build_info{version="${NEXT}"`)
    }
    expect(roots()).to.deep.equal([release])
  })

  /** The first page that a browser gets while the processes are away. */
  async function page() {
    for (;;) {
      const response = await fetch(url, { headers: { Accept: 'text/html' } })
      const text = await response.text()
      if (response.status === 503) return { text, retryAfter: response.headers.get('retry-after') }
      await pause(20)
    }
  }
  /** Folders of the releases that run. */
  const roots = () =>
    [
      ...new Set(
        product.processes().flatMap(({ command }) => /\S+(?=\/services\/\S+main\.ts)/.exec(command) ?? []),
      ),
    ].sort()

  it('that cannot start goes back by itself and keeps what was written; the next one is free to begin', async function () {
    this.timeout(480_000)
    const entry = readFileSync(join(release, 'services/events/main.ts'), 'utf8')
    inRelease('services/events/main.ts', `throw new Error('broken release')`)
    const people = load(ada, url)
    const { code, output } = await upgrade()
    expect(code, output).to.equal(1)
    await ends(people, output)
    expect(output, output)
      .to.include('The new events ended with 1. Cause: events: Error: broken release. Its log: ')
      .and.include('events.log.')
      .and.include(`bothy ${VERSION} runs as before. Next: mend the cause, then the same upgrade again.`)
    expect(await version()).to.equal(VERSION)
    expect(await tables('notes'), 'the schema on which this release runs as well').to.equal(1)
    expect(roots()).to.deep.equal([ROOT])
    inRelease('services/events/main.ts', entry)
    const again = await upgrade()
    expect(again.code, again.output).to.equal(0)
    expect(await version()).to.equal(NEXT)
    const left = `From now on run npm start in ${release}, with BOTHY_DATA=${join(folder.path, 'data')}.`
    expect(again.output.trimEnd().split('\n').slice(-2)).to.deep.equal(['', left])

    // The clone is still that of the first release.
    const former = release
    release = join(folder.path, 'after-next')
    cpSync(former, release, { recursive: true, verbatimSymlinks: true })
    const about = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8'))
    inRelease('package.json', JSON.stringify({ ...about, version: '999.1.0' }))
    inRelease('services/api/main.ts', `throw new Error('broken release')`)
    const second = await upgrade()
    expect(second.output)
      .to.include(`From bothy ${NEXT} to 999.1.0`)
      .and.include(`bothy ${NEXT} runs as before.`)
    expect(await version()).to.equal(NEXT)
    await product.stop()
    url = await product.start()
    const reminder = `This is the release before the last upgrade. ${left}`
    await product.until(() => product.output.includes(reminder), 'the reminder is printed')
  })

  it('whose smoke test fails goes back before the front door opens', async () => {
    inRelease(
      'infra/tools/smoke-test.ts',
      `export const smokeTest = () => Promise.reject(new Error('no smoke'))`,
    )
    const people = load(ada, url)
    const { code, output } = await upgrade()
    expect(code, output).to.equal(1)
    await ends(people, output)
    expect(output).to.include(`no smoke Nothing was lost: bothy ${VERSION} runs as before.`)
    expect(await version()).to.equal(VERSION)
  })

  it('whose migration fails halfway starts the former processes on the former schema', async () => {
    inRelease(
      'shared/stores/migrations/9002_half.sql',
      `-- works from ${VERSION}\ncreate table half (id bigint); insert into half select id from no_such_table;`,
    )
    const people = load(ada, url)
    const { code, output } = await upgrade()
    expect(code, output).to.equal(1)
    await ends(people, output)
    expect(output)
      .to.include('Migration 9002_half.sql failed')
      .and.include('The database is as it was before this migration.')
      .and.include(`bothy ${VERSION} runs as before`)
    expect(await tables('half')).to.equal(0)
    expect(await version()).to.equal(VERSION)
    expect(roots()).to.deep.equal([ROOT])
  })

  it('to a schema that excludes this release restores the backup when it goes back, also that of a newer schema', async () => {
    await wentBackEarlier()
    inRelease('services/api/main.ts', `throw new Error('broken release')`)
    inRelease(
      'shared/stores/migrations/9002_gone.sql',
      `-- works from ${NEXT}\ncreate table gone (id bigint);`,
    )
    const people = load(ada, url)
    const { code, output } = await upgrade()
    expect(code, output).to.equal(1)
    expect(output)
      .to.include(`bothy ${VERSION} cannot run on that schema: the way back is the backup.`)
      .and.include(`Nothing was lost: bothy ${VERSION} runs as before, with the data of the backup;`)
    const [, replaced] = /the database of the upgrade is (\w+_before_\w+),/.exec(output) ?? []
    expect(await databases(), output).to.include(replaced)
    await product.until(async () => (await fetch(`${url}/readyz?stores`)).ok, 'the former processes are back')
    expect(await tables('notes', 'gone')).to.equal(0)
    expect(await tables('earlier'), 'the schema of the backup').to.equal(1)
    expect(await version()).to.equal(VERSION)
    const again = new Person('ada', url)
    await again.postForm('/login', { username: 'ada', password: PASSWORD })
    ada.cookie = again.cookie
    const { lost } = await people.end()
    expect(lost, 'sent before the processes stopped').to.equal(0)
  })

  it('whose program is killed while the processes are away brings the former ones back', async () => {
    const people = load(ada, url)
    const lines = ['The processes are stopped.', 'Backup: ', 'The processes are those of the new release.']
    let outputs = ''
    for (const [i, line] of lines.entries()) {
      const { code, output } = await upgrade(line)
      outputs += output
      expect(code, output).to.equal(null)
      await product.until(
        () => product.output.split('The upgrade broke off').length === i + 2,
        'npm start noticed',
      )
      await isBack()
    }
    await ends(people, outputs)
  })

  const isReady = async () => (await fetch(`${url}/readyz?stores`).catch(() => undefined))?.ok
  async function isBack() {
    await product.until(isReady, 'the former processes are back', 60_000)
    expect(await version()).to.equal(VERSION)
    expect(roots()).to.deep.equal([ROOT])
  }

  const smokeOf = (within: Milliseconds) => `
    import { setTimeout } from 'node:timers/promises'
    export const smokeTest = () => setTimeout(${within}, ['slow'])`

  it('during which npm start is stopped or killed loses nothing, and the next npm start is the former one', async () => {
    inRelease('infra/tools/smoke-test.ts', smokeOf(3_000))
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const people = load(ada, url)
      const exit = once(product.child, 'exit')
      const pid = Number(readFileSync(join(folder.path, 'data/running'), 'utf8'))
      const { code, output } = await upgrade('The processes are those of the new release.', () =>
        process.kill(pid, signal),
      )
      expect(code, output).to.equal(1)
      expect(output).to.include('npm start has ended. Next: start it again, then the same upgrade.')
      const [ending] = await exit
      if (signal === 'SIGTERM') expect(ending, product.output).to.equal(0)
      await product.start(new URL(url).port)
      await isBack()
      await ends(people, output)
    }
  })

  it('begins only if npm start can be upgraded, and no other upgrade is at work', async () => {
    inRelease('infra/tools/smoke-test.ts', smokeOf(20_000))
    let second: ReturnType<typeof upgrade> | undefined
    const first = await upgrade('The processes are those of the new release.', () => {
      second = upgrade()
    })
    expect(first.code, first.output).to.equal(0)
    const { code, output } = await second!
    expect(code, output).to.equal(1)
    expect(output).to.include('Another upgrade is at work')
    expect(await version()).to.equal(NEXT)
    // As an npm start of 0.2.0 leaves it.
    rmSync(join(folder.path, 'data/running-release'))
    expect((await upgrade()).output).to.include('Not begun: this npm start was started by an older release')
  })

  it('whose way back fails too says both causes; the same upgrade again leads forward', async () => {
    inRelease(
      'shared/stores/migrations/9002_gone.sql',
      `-- works from ${NEXT}\ncreate table gone (id bigint);`,
    )
    const smoke = readFileSync(join(release, 'infra/tools/smoke-test.ts'), 'utf8')
    inRelease(
      'infra/tools/smoke-test.ts',
      `import { rmSync } from 'node:fs'
       export async function smokeTest() {
         rmSync(process.env['BACKUP_DIR'], { recursive: true })
         throw new Error('no smoke')
       }`,
    )
    const people = load(ada, url)
    const { code, output } = await upgrade()
    expect(code, output).to.equal(1)
    const [, backup] = /Backup: (\S+)\.\n/.exec(output) ?? []
    expect(output)
      .to.include('no smoke The way back failed too: ')
      .and.include(`says that the database is newer: npm run admin -- restore ${backup} --replace`)
    await product.until(
      () => product.output.includes('The database is newer than this bothy'),
      'the former release says why it does not start',
    )
    inRelease('infra/tools/smoke-test.ts', smoke)
    const again = await upgrade()
    expect(again.code, again.output).to.equal(0)
    await ends(people, output)
    expect(await version()).to.equal(NEXT)
  })
})
