import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import { FORMER } from '#shared/stores/baseline.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type FormerDatabase, formerDatabase } from '#shared/test-kit/former-database.ts'
import { seedHistories } from '#shared/test-kit/long-history.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { temporaryFolder } from '../processes/children.ts'
import { runCommand } from './run-command.ts'

const OF_THIS_RELEASE = readdirSync(join(import.meta.dirname, '../../shared/stores/migrations'))
  .filter(name => name.endsWith('.sql'))
  .sort()
const OURS = ['DATABASE_ADMIN_URL', 'BACKUP_DIR', 'BACKUP_PASSPHRASE']

/** The commands run in the process of the test, the office in processes of its own. */
describe('a backup (npm run admin)', function () {
  this.timeout(240_000)
  let world: World
  let folder: ReturnType<typeof temporaryFolder>
  const outside = { ...process.env }

  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    folder = temporaryFolder('bothy-backups-')
    Object.assign(process.env, world.backing.env, {
      DATABASE_ADMIN_URL: world.backing.adminDatabaseUrl,
      BACKUP_DIR: join(folder.path, 'backups'),
    })
    const { ada, bob, cleo } = world
    const hello = await ada.send('general', 'Good morning @bob, the kettle\tis \\N on.\nSecond line')
    await bob.react(hello, 'thumbsup')
    await ada.sendFiles('general', [{ name: 'plan.txt', bytes: 'Paint the door green.' }])
    await ada.sendFiles(`dm:ada:bob`, [{ name: 'secret.txt', bytes: 'The key is under the stone.' }])
    await bob.markRead('general')
    await cleo.send('general', 'Tea, anyone?', { reply_to: String(hello) })
    await world.privateChannel('den', [ada, cleo])
  })
  after(async () => {
    for (const name of [...Object.keys(world.backing.env), ...OURS]) {
      if (outside[name] === undefined) delete process.env[name]
      else process.env[name] = outside[name]
    }
    folder.remove()
    await world.end()
  })
  afterEach(() => {
    delete process.env['BACKUP_PASSPHRASE']
  })

  async function json<T>(...words: string[]): Promise<T> {
    const { exitCode, output, fault } = await runCommand([...words, '--json'])
    expect({ exitCode, fault }, `${words.join(' ')}: ${output}`).to.deep.equal({ exitCode: 0, fault: '' })
    return JSON.parse(output) as T
  }
  async function refused(sentence: string, ...words: string[]) {
    const run = await runCommand(words)
    expect(run.exitCode, words.join(' ')).to.equal(1)
    expect(run.fault).to.include(sentence)
  }
  const make = async () =>
    (await json<{ path: string }>('backup', '--to', join(folder.path, randomUUID()))).path
  const newDatabase = () =>
    withDatabase(world.backing.adminDatabaseUrl, `bothy_restored_${randomUUID().slice(0, 8)}`)
  const drop = (url: string) =>
    world.backing.admin(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)

  /** Everything in it that people see. */
  async function seenBy(person: Person) {
    const rows = await person.messages('general')
    const files = rows.filter((row): row is MessagePayload & { filename: string } => Boolean(row.filename))
    return {
      rows,
      dm: person.name === 'cleo' ? [] : await person.messages('dm:ada:bob'),
      files: await Promise.all(files.map(async row => (await person.fetch(`/files/${row.filename}`)).text())),
      unreads: await person.get('/channel_unreads'),
      dms: await person.get('/dms'),
      mentions: await person.get('/mentions'),
      groups: await person.get('/private_channels'),
    }
  }

  for (const passphrase of [undefined, 'four words on paper'])
    it(`is restored ${passphrase ? 'from its encrypted form ' : ''}into a new server: people sign in, and see the same`, async () => {
      if (passphrase) process.env['BACKUP_PASSPHRASE'] = passphrase
      const path = await make()
      const { ada, bob, cleo } = world
      const before = await Promise.all([ada, bob, cleo].map(seenBy))
      expect(before[0]!.files).to.deep.equal(['Paint the door green.'])
      const into = newDatabase()
      const files = join(folder.path, `files-${randomUUID()}`)
      try {
        const done = await json<{ rows: number; files: object; kept: unknown; sessions_ended: unknown }>(
          ...['restore', path, '--into', into, '--files', files],
        )
        expect(done).to.deep.include({ kept: null, files: { copied: 2, there: 0 }, sessions_ended: null })
        const app = new URL(world.backing.env.DATABASE_URL)
        app.pathname = new URL(into).pathname
        const api = await startService('api', {
          ...world.backing.env,
          DATABASE_URL: app.href,
          FILES_URL: pathToFileURL(files).href,
          REDIS_PREFIX: `${world.backing.env.REDIS_PREFIX}again:`,
        })
        try {
          const people = [ada, bob, cleo].map(({ name }) => new Person(name, api.url))
          for (const person of people) {
            const answer = await person.postForm('/login', { username: person.name, password: PASSWORD })
            expect(answer.status, person.name).to.equal(302)
          }
          expect(await Promise.all(people.map(seenBy))).to.deep.equal(before)
          // Ids go on after those of the backup, and triggers, indexes and constraints work.
          const id = await people[0]!.send('general', 'We are back.')
          expect(id).to.be.greaterThan(Math.max(...before[0]!.rows.map(row => row.id)))
          expect(await people[1]!.get<object[]>('/search_messages?q=are%20back')).to.have.length(1)
        } finally {
          await api.stop()
        }
      } finally {
        await drop(into)
      }
    })

  describe('of bothy 0.1.0', () => {
    let former: FormerDatabase
    let office: { DATABASE_URL?: string; DATABASE_ADMIN_URL?: string }
    before(async () => {
      former = await formerDatabase(world.backing)
      const { DATABASE_URL, DATABASE_ADMIN_URL } = process.env
      office = { DATABASE_URL, DATABASE_ADMIN_URL }
      Object.assign(process.env, {
        DATABASE_URL: former.env.DATABASE_URL,
        DATABASE_ADMIN_URL: former.adminDatabaseUrl,
      })
      await admin("insert into users (username, password_hash, created_ts) values ('ada', 'unused', 0)")
      await seedHistories(former.env.DATABASE_URL, [{ channel: 'general', count: 10 }])
    })
    after(async () => {
      Object.assign(process.env, office)
      await former.drop()
    })
    const admin = async (sql: string) => {
      const db = new pg.Client(former.adminDatabaseUrl)
      await db.connect()
      await db.query(sql).finally(() => db.end())
    }
    const recorded = async (url: string) => {
      const db = new pg.Client(url)
      await db.connect()
      const { rows } = await db
        .query<{ name: string }>('select name from schema_migrations order by name')
        .finally(() => db.end())
      return rows.map(({ name }) => name)
    }

    it('is proven, and restored for 0.2.0, or for 0.1.0 without migrations', async () => {
      const path = await make()
      expect(await json('verify', path, '--drill')).to.deep.include({ ok: true, newer: [] })
      const into = newDatabase()
      for (const [flags, migrated] of [
        [[], OF_THIS_RELEASE],
        [['--without-migrations'], []],
      ] as const)
        try {
          const files = join(folder.path, `files-${randomUUID()}`)
          const done = await json('restore', path, '--into', into, '--files', files, ...flags)
          expect(done).to.deep.include({ migrated })
          expect(await recorded(into)).to.deep.equal([...FORMER, ...migrated].sort())
        } finally {
          await drop(into)
        }
    })

    it('is left to 0.1.0 while that has yet to fill in rows, or if it lacks migrations', async () => {
      await admin('insert into unfolded_texts (up_to) values (1)')
      const unfinished = await make()
      await admin(
        `delete from unfolded_texts; delete from schema_migrations where name = '0141_folded_names.sql'`,
      )
      const partial = await make()
      await admin(`insert into schema_migrations (name) values ('0141_folded_names.sql')`)
      const into = newDatabase()
      for (const [path, sentence] of [
        [unfinished, 'bothy 0.1.0 has not filled in all folded texts of the search.'],
        [partial, 'it lacks 0141_folded_names.sql. Restore it with bothy 0.1.0'],
      ] as const) {
        await refused(sentence, 'verify', path, '--drill')
        await refused(sentence, 'restore', path, '--into', into)
      }
    })
  })

  it('fails to verify once a byte of any of its files is changed, and names the file', async () => {
    const path = await make()
    expect(await json('verify', path)).to.include({ ok: true, files: 2 })
    const target = join(path, '..')
    const all = (readdirSync(target, { recursive: true }) as string[])
      .map(name => join(target, name))
      .filter(name => statSync(name).isFile())
    expect(all.length).to.be.greaterThan(50)
    for (const file of all) {
      const bytes = readFileSync(file)
      const changed = Buffer.from(bytes)
      changed[Math.floor(bytes.length / 2)]! ^= 1
      writeFileSync(file, changed)
      await refused(file.slice(file.startsWith(path) ? path.length + 1 : target.length + 1), 'verify', path)
      writeFileSync(file, bytes)
    }
    rmSync(join(path, 'tables/messages.copy.zst'))
    await refused('tables/messages.copy.zst is missing', 'verify', path)
    await refused('tables/messages.copy.zst is missing', 'restore', path, '--into', newDatabase())
  })

  it('does not replace a database that processes use, or that has tables', async () => {
    const path = await make()
    await refused('process uses the database', 'restore', path)
    await world.api[0]!.stop()
    try {
      await world.backing.admin('delete from replicas')
      await refused('Say --replace to put the backup in its place', 'restore', path)
      expect((await json<{ items: object[] }>('people')).items).to.have.length(4)
    } finally {
      world.api[0] = await startService('api', world.backing.env)
      for (const person of [world.ada, world.bob, world.cleo, world.mallory]) person.at = world.api[0].url
    }
  })

  it('restored in place goes on in the running process, ends all sessions, keeps the former database, and reuses no id', async () => {
    const { ada } = world
    const path = await make()
    const lost = await ada.send('general', 'This is lost.')
    const done = await json<{ kept: string; sessions_ended: number; outage_seconds: number }>(
      ...['restore', path, '--replace'],
    )
    try {
      expect(done.sessions_ended).to.be.greaterThan(3)
      for (const person of [ada, world.bob, world.cleo, world.mallory])
        await eventually(async () => {
          expect((await person.fetch('/channels')).status, person.name).to.equal(302)
          const answer = await person.postForm('/login', { username: person.name, password: PASSWORD })
          expect(answer.status).to.equal(302)
        })
      expect((await ada.messages('general')).map(row => row.content)).to.not.include('This is lost.')
      expect(await ada.send('general', 'New.')).to.be.greaterThan(lost)
      expect(world.api[0]!.output()).to.include('goes on with the restored one')
    } finally {
      await drop(withDatabase(world.backing.adminDatabaseUrl, done.kept))
    }
  })

  it('with a passphrase tells nothing without it', async () => {
    process.env['BACKUP_PASSPHRASE'] = 'right'
    const path = await make()
    const names = readdirSync(join(path, '..'), { recursive: true }) as string[]
    expect(names.join()).to.not.include('plan.txt')
    const manifest = readFileSync(join(path, 'manifest.json'), 'utf8')
    for (const secret of ['plan.txt', 'dm:ada:bob', world.backing.env.SESSION_SECRET])
      expect(manifest).to.not.include(secret)
    process.env['BACKUP_PASSPHRASE'] = 'wrong'
    await refused('The passphrase is not that of this backup.', 'restore', path, '--into', newDatabase())
    delete process.env['BACKUP_PASSPHRASE']
    expect(await json('verify', path)).to.include({ ok: true })
    await refused('BACKUP_PASSPHRASE', 'verify', path, '--drill')
    await refused('BACKUP_PASSPHRASE', 'restore', path, '--into', newDatabase())

    process.env['BACKUP_PASSPHRASE'] = 'right'
    expect(await json('verify', path, '--drill')).to.include({ ok: true, files: 2 })
    const [to, into] = [join(folder.path, randomUUID()), newDatabase()]
    try {
      await json('restore', path, '--into', into, '--files', join(to, 'files'), '--settings-to', to)
      expect(readFileSync(join(to, 'session-secret'), 'utf8').trim()).to.equal(
        world.backing.env.SESSION_SECRET,
      )
      expect(JSON.parse(readFileSync(join(to, 'settings.json'), 'utf8'))).to.deep.include({
        channels: ['general', 'design'],
      })
    } finally {
      await drop(into)
    }
  })

  it('is not begun where the disk has too little room for it, and leaves nothing', async () => {
    const target = join(folder.path, randomUUID())
    // An upload that takes no room here, and 4 TiB in a backup.
    const large = join(
      fileURLToPath(world.backing.env.FILES_URL),
      `${randomUUID().replaceAll('-', '')}_a.bin`,
    )
    writeFileSync(large, '')
    try {
      truncateSync(large, 2 ** 42)
      await refused('free, and the backup needs about 49', 'backup', '--to', target)
    } finally {
      rmSync(large)
    }
    expect((readdirSync(target) as string[]).filter(name => /^\d/.test(name))).to.deep.equal([])
  })

  it('and its proof wait for those of another process', async () => {
    const other = new pg.Client(world.backing.env.DATABASE_URL)
    await other.connect()
    const told: string[] = []
    const { error } = console
    console.error = line => told.push(line)
    try {
      const afterOther = async (words: string[]) => {
        await other.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.backup])
        const made = json<{ path: string }>(...words)
        await eventually(() =>
          expect(told.splice(0).join()).to.match(/^Another backup is being made or proven/),
        )
        await other.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.backup])
        return made
      }
      const { path } = await afterOther(['backup', '--to', join(folder.path, randomUUID())])
      await afterOther(['verify', path, '--drill'])
    } finally {
      console.error = error
      await other.end()
    }
  })

  it('tells its path also where the hook of the operator fails, and a restore what it did', async () => {
    const target = join(folder.path, 'backups')
    const hook = (name: string, script: string) => {
      mkdirSync(join(target, 'hooks'), { recursive: true })
      writeFileSync(join(target, 'hooks', name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(target, 'hooks', name), 0o700)
    }
    hook('after-backup', 'echo no such host >&2; exit 4')
    const run = await runCommand(['backup', '--json'])
    const told = JSON.parse(run.output) as { path: string; error: string }
    expect(run.exitCode).to.equal(1)
    expect(told.error).to.equal('The backup is complete, but hooks/after-backup ended with 4. no such host')
    expect(await json('verify', told.path)).to.include({ ok: true })
    const text = await runCommand(['backup'])
    expect(text.output).to.match(/Z: \d+ rows, \d+ files, /)
    expect(text).to.include({ exitCode: 1, fault: told.error })

    hook('after-restore', 'exit 5')
    const into = newDatabase()
    try {
      const restored = await runCommand(['restore', told.path, '--into', into, '--json'])
      expect(restored.exitCode).to.equal(1)
      expect(JSON.parse(restored.output)).to.deep.include({
        database: new URL(into).pathname.slice(1),
        kept: null,
        error: 'The restore is complete, but hooks/after-restore ended with 5.',
      })
    } finally {
      await drop(into)
    }
    // A backup of another folder brings no programs.
    const other = join(folder.path, randomUUID())
    mkdirSync(other)
    renameSync(join(target, 'hooks'), join(other, 'hooks'))
    const elsewhere = newDatabase()
    try {
      const { path } = await json<{ path: string }>('backup', '--to', other)
      await json('restore', path, '--into', elsewhere)
    } finally {
      await drop(elsewhere)
    }
  })

  it('shares the files of earlier ones, and names those that are gone', async () => {
    const target = join(folder.path, randomUUID())
    const first = await json<{ files: number; bytes: number; path: string }>('backup', '--to', target)
    const files = (readdirSync(join(target, 'files'), { recursive: true }) as string[]).filter(name =>
      statSync(join(target, 'files', name)).isFile(),
    )
    expect(files).to.have.length(2)
    const times = files.map(name => statSync(join(target, 'files', name)).mtimeMs)
    await world.ada.sendFiles('general', [{ name: 'third.txt', bytes: 'A third file.' }])
    const { filename } = (await world.ada.messages('general')).findLast(row => row.filename)!
    await json('backup', '--to', target)
    expect(files.map(name => statSync(join(target, 'files', name)).mtimeMs)).to.deep.equal(times)
    rmSync(join(fileURLToPath(world.backing.env.FILES_URL), filename!))
    const third = await json<{ files: number; missing: object; path: string }>('backup', '--to', target)
    expect(third).to.deep.include({ files: 2, missing: { count: 1, names: [filename] } })
    const { items } = await json<{ items: { path: string }[] }>('backups', '--in', target)
    expect(items.map(({ path }) => path)).to.deep.equal(
      items
        .map(({ path }) => path)
        .toSorted()
        .toReversed(),
    )
    expect(items).to.have.length(3)
    for (const { path } of items) await json('verify', path)
    expect(first.files).to.equal(2)
  })
})
