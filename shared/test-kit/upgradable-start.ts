import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { temporaryFolder } from '../../infra/processes/children.ts'
import { freePorts } from '../../infra/processes/free-port.ts'
import type { Load } from './load.ts'
import { Person } from './person.ts'
import { Product } from './product.ts'
import { type TestBacking, testBacking } from './stores.ts'

/** Version of the next release, a copy of this one with a migration. */
export const NEXT = '999.0.0'

/** An `npm start` with an account, and the next release beside it. */
export class UpgradableStart {
  readonly #backing: TestBacking
  readonly folder: ReturnType<typeof temporaryFolder>
  readonly product: Product
  readonly metricsPort: number
  /** The folder of the release that `upgrade` starts. */
  release: string
  url!: string
  ada!: Person

  private constructor(backing: TestBacking, metricsPort: number) {
    this.#backing = backing
    this.folder = temporaryFolder('bothy-upgrade-')
    this.metricsPort = metricsPort
    this.product = new Product(join(this.folder.path, 'data'), {
      ...backing.env,
      METRICS_PORT: String(metricsPort),
    })
    this.release = join(this.folder.path, 'next')
  }

  static async begin(): Promise<UpgradableStart> {
    const start = new UpgradableStart(await testBacking(), await freePorts(6))
    start.url = await start.product.start()
    start.ada = await new Person('ada', start.url).signUp()
    start.#copyThis()
    return start
  }

  async end() {
    await this.product.stop()
    this.folder.remove()
    await this.#backing.drop()
  }

  /** Without documents, data and history; the dependencies are linked. */
  #copyThis() {
    const left = /^(?:\.git|\.data|node_modules|docs)(?:\/|$)|\.log$/
    cpSync(ROOT, this.release, { recursive: true, filter: path => !left.test(relative(ROOT, path)) })
    symlinkSync(join(ROOT, 'node_modules'), join(this.release, 'node_modules'))
    this.inRelease(
      'package.json',
      JSON.stringify({ type: 'module', version: NEXT, imports: { '#shared/*': './shared/*' } }),
    )
    this.inRelease(
      'shared/stores/migrations/9001_notes.sql',
      `-- works from ${VERSION}\ncreate table notes (id bigint primary key);`,
    )
  }

  inRelease(path: string, text: string) {
    writeFileSync(join(this.release, path), text)
  }

  /** `npm run admin -- upgrade`. `act` is called once, when the command has said `line`. */
  async upgrade(
    line?: string,
    act: (child: ChildProcess) => unknown = child => child.kill('SIGKILL'),
  ): Promise<{ code: number | null; output: string }> {
    const args = [join(ROOT, 'infra/tools/admin.ts'), 'upgrade', this.release, '--despite-faults']
    const child = spawn(process.execPath, args, {
      env: {
        ...process.env,
        ...this.#backing.env,
        BOTHY_DATA: join(this.folder.path, 'data'),
        BACKUP_DIR: join(this.folder.path, 'backups'),
        DATABASE_ADMIN_URL: this.#backing.adminDatabaseUrl,
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

  async version(): Promise<string> {
    return ((await (await fetch(`${this.url}/version`)).json()) as { version: string }).version
  }

  /** Number of these tables that exist. */
  async tables(...names: string[]): Promise<number> {
    const [row] = await this.#rows<{ there: number }>(
      'select count(to_regclass(name))::int as there from unnest($1::text[]) as name',
      [names],
    )
    return row!.there
  }

  async databases(): Promise<string[]> {
    return (await this.#rows<{ datname: string }>('select datname from pg_database')).map(
      ({ datname }) => datname,
    )
  }

  /** Leaves what an earlier upgrade that went back leaves: a migration that this release does not have, and runs on. */
  async wentBackEarlier() {
    const [name, sql] = ['9000_earlier.sql', 'create table earlier (id bigint primary key);']
    this.inRelease(`shared/stores/migrations/${name}`, `-- works from ${VERSION}\n${sql}`)
    await this.#rows(`${sql} grant select on earlier to public;
                      insert into schema_migrations (name, works_from) values ('${name}', '${VERSION}')`)
  }

  async #rows<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    const db = new pg.Client(this.#backing.adminDatabaseUrl)
    await db.connect()
    try {
      return (await db.query<Row>(sql, values)).rows
    } finally {
      await db.end()
    }
  }

  /** Away means 503 or a lost connection, and no other fault; nothing that was acknowledged is gone. */
  async ends(people: Load, output: string) {
    const { lost, seen } = await people.end()
    expect(
      people.failed.filter(fault => !/ 503|fetch failed/.test(fault)),
      output,
    ).to.deep.equal([])
    expect(lost, output).to.equal(0)
    expect(seen, 'the stream opens again by itself').to.include(people.sent.at(-1))
  }

  async robots(): Promise<string[]> {
    return ((await this.ada.get('/users')) as string[]).filter(name => name.startsWith('check-'))
  }

  /** The first page that a browser gets while the processes are away. */
  async page() {
    for (;;) {
      const response = await fetch(this.url, { headers: { Accept: 'text/html' } })
      const text = await response.text()
      if (response.status === 503) return { text, retryAfter: response.headers.get('retry-after') }
      await pause(20)
    }
  }

  /** Folders of the releases that run. */
  roots(): string[] {
    const folders = this.product
      .processes()
      .flatMap(({ command }) => /\S+(?=\/services\/\S+main\.ts)/.exec(command) ?? [])
    return [...new Set(folders)].sort()
  }

  async isBack() {
    const isReady = async () => (await fetch(`${this.url}/readyz?stores`).catch(() => undefined))?.ok
    await this.product.until(isReady, 'the former processes are back', 60_000)
    expect(await this.version()).to.equal(VERSION)
    expect(this.roots()).to.deep.equal([ROOT])
  }
}
