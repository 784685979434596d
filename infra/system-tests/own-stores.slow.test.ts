import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { Product } from '#shared/test-kit/product.ts'
import { storesFolder } from '../dev-stores/stores-folder.ts'

/** The Redis program that this test run may have fetched, so that it is not fetched again. */
const PROGRAM = join(storesFolder(), 'redis-program')

describe('the stores of npm start', function () {
  this.timeout(300_000)
  let data: string
  let product: Product
  let url: string
  let ada: Person

  before(async function () {
    if (!existsSync('/proc/self/stat')) this.skip()
    data = mkdtempSync(join(tmpdir(), 'bothy-stores-'))
    // Readable for the account of the stores.
    chmodSync(data, 0o755)
    if (existsSync(PROGRAM)) symlinkSync(PROGRAM, join(data, 'redis-program'))
    product = new Product(data, { DATABASE_URL: '', REDIS_URL: '', PASSWORD_ITERATIONS: '1000' })
    url = await product.start()
    ada = await new Person('ada', url).signUp()
  })
  after(async () => {
    await product?.stop()
    if (data) rmSync(data, { recursive: true, force: true })
  })

  const stores = () => join(data, existsSync(join(data, 'stores')) ? 'stores' : '')

  async function asOwner<T>(
    work: (client: pg.Client) => Promise<T>,
    role: 'owner' | 'admin' = 'owner',
  ): Promise<T> {
    const address = new URL(readFileSync(join(data, 'database-url'), 'utf8').trim())
    const file = role === 'owner' ? 'postgres-owner-password' : 'postgres-password'
    address.username = role === 'owner' ? 'bothy_owner' : 'bothy'
    address.password = readFileSync(join(stores(), file), 'utf8').trim()
    const client = new pg.Client(address.href)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  const admin = async (...words: string[]) => {
    const env = { ...process.env, BOTHY_DATA: data, DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'info' }
    const run = promisify(execFile)(process.execPath, [join(ROOT, 'infra/tools/admin.ts'), ...words], {
      env,
    })
    return (await run).stdout
  }

  const kill = (name: string, pattern: RegExp) => {
    const found = product.processes().find(({ command }) => pattern.test(command))
    expect(found, name).to.not.equal(undefined)
    process.kill(found!.pid, 'SIGKILL')
  }

  it('restart when they are killed, and nobody is signed out', async () => {
    await ada.send('general', 'before')
    kill('Redis', /(?:redis|valkey)-server/)
    await product.until(() => product.output.includes('Redis runs again'), 'Redis is back')
    await eventually(async () => expect((await ada.fetch('/channels')).status).to.equal(200), 60_000)
    kill('PostgreSQL', /bin\/postgres -D/)
    await product.until(() => product.output.includes('PostgreSQL runs again'), 'PostgreSQL is back')
    await eventually(() => ada.send('general', 'after'), 60_000)
    const texts = (await ada.messages('general')).map(message => message.content)
    expect(texts.slice(-2)).to.deep.equal(['before', 'after'])
  })

  it('are found by the operator’s commands, whose output is one sentence or JSON', async () => {
    expect(await admin('people')).to.equal('ada\towner\tactive\t-\t-\n')
    expect(JSON.parse(await admin('create', 'Bea', '--json'))).to.have.keys('username', 'reset_url')
    expect(await admin('deactivate', 'bea')).to.equal('Bea is signed out and cannot sign in.\n')
  })

  it('have nothing that the doctor warns of but what an operator decides', async () => {
    const { findings } = JSON.parse(await admin('doctor', '--json')) as {
      findings: { part: string; state: string }[]
    }
    const warnings = findings.filter(({ state }) => state === 'warning' || state === 'fault')
    // The disks are those of the machine.
    const parts = warnings
      .map(({ part }) => part)
      .filter(part => !/^room for|^backup (folder|disk)/.test(part))
    expect(parts).to.deep.equal(['https', 'backup', 'backup secrets'])
  })

  it('give the processes a role that can neither change a table nor read a file of the server', async () => {
    const client = new pg.Client(readFileSync(join(data, 'database-url'), 'utf8').trim())
    await client.connect()
    try {
      for (const statement of [
        'drop table messages',
        'alter table users add column x text',
        'create table mine (id int)',
        'create role mallory superuser',
        `copy messages from program 'id'`,
        `select pg_read_file('/etc/passwd')`,
      ]) {
        const error = await client.query(statement).then(
          () => undefined,
          (err: { code: string }) => err.code,
        )
        expect(error, statement).to.equal('42501')
      }
    } finally {
      await client.end()
    }
  })

  it('get new passwords at the start after npm run admin -- new-passwords, and nobody is signed out', async () => {
    const addresses = () =>
      ['database-url', 'database-admin-url', 'redis-url'].map(name =>
        readFileSync(join(data, name), 'utf8').trim(),
      )
    const passwords = () => addresses().map(address => new URL(address).password)
    const former = passwords()
    await ada.send('general', 'with the former passwords')
    expect(await admin('new-passwords')).to.equal(
      'PostgreSQL and Redis get new passwords when npm start is started the next time.\n',
    )
    await product.stop()
    url = await product.start()
    expect(product.output).to.include('The database has new passwords.')
    for (const [i, password] of passwords().entries()) expect(password).to.not.equal(former[i])
    for (const [i, address] of addresses().slice(0, 2).entries()) {
      const asBefore = new URL(address)
      asBefore.password = former[i]!
      const refusal = await new pg.Client(asBefore.href).connect().catch(err => err.code)
      expect(refusal, asBefore.username).to.equal('28P01')
    }
    const { cookie } = ada
    ada = new Person('ada', url)
    ada.cookie = cookie
    expect((await ada.messages('general')).at(-1)!.content).to.equal('with the former passwords')
    expect(await asOwner(client => client.query('select 1').then(({ rowCount }) => rowCount))).to.equal(1)
    const now = passwords()
    await product.stop()
    url = await product.start()
    ada = new Person('ada', url)
    ada.cookie = cookie
    expect(passwords().slice(0, 2), 'asked for once').to.deep.equal(now.slice(0, 2))
  })

  it('find text in every script by the index, also after upgrading an older database, of which a copy is kept', async () => {
    const trigrams = () => asOwner(client => client.query(`select show_trgm('привет')`))
    /** The texts that contain these trigrams according to the index alone. */
    const byIndex = () =>
      asOwner(async client => {
        await client.query('set enable_seqscan = off')
        const found = await client.query(`select content from message_texts where content ilike '%другом%'`)
        return found.rows.map(row => row.content)
      })
    expect((await trigrams()).rows[0].show_trgm).to.not.deep.equal([])
    // As earlier versions created it. The processes connect again, so that the next text is indexed under that locale.
    await asOwner(async client => {
      await client.query(`update pg_database set datctype = 'C' where datname = 'bothy'`)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = 'bothy' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    }, 'admin')
    expect((await trigrams()).rows[0].show_trgm).to.deep.equal([])
    await eventually(() => ada.send('general', 'шесть слов на другом языке'), 60_000)
    await product.stop()
    url = await product.start()
    expect(product.output).to.include('Changing the locale')
    expect((await trigrams()).rows[0].show_trgm).to.not.deep.equal([])
    expect(readdirSync(join(stores(), 'postgres-before-locale-change'))).to.include('PG_VERSION')
    expect(await byIndex()).to.deep.equal(['шесть слов на другом языке'])
    const person = new Person('bob', url)
    await person.signUp()
    expect(await person.get('/search_messages?q=другом')).to.have.length(1)
    await product.stop()
    url = await product.start()
    expect(product.output).to.not.include('Changing the locale')
  })

  it('stop with the rest, and nobody announces to start them again', async () => {
    product.child.kill('SIGINT')
    await once(product.child, 'exit')
    expect(product.output).to.not.match(/starting it again|did not start/)
  })
})
