import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { Product } from '#shared/test-kit/product.ts'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { type SmallDisk, smallDisk } from '#shared/test-kit/small-disk.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { storesFolder } from '../dev-stores/stores-folder.ts'

/** The Redis program that this test run may have fetched, so that it is not fetched again. */
const PROGRAM = join(storesFolder(), 'redis-program')
const BACK_WITHIN = 60_000
const MIB = 1024 * 1024

/** The disk of each part of `npm start` is filled in turn. Each part has one of its own, so that the others go on. */
describe('a full disk, under npm start', function () {
  this.timeout(240_000)
  const disks = new Map<string, SmallDisk>()
  let product: Product
  let ada: Person
  /** The processes of the services, which must not end. */
  let services: string[]
  const acknowledged: string[] = []

  before(async function () {
    for (const [name, size] of Object.entries({ data: 700, logs: 24, redis: 24, files: 96, backups: 96 })) {
      const disk = smallDisk(size)
      if (!disk) return skip(this)
      disks.set(name, disk)
    }
    const data = pathOf('data')
    if (existsSync(PROGRAM)) symlinkSync(PROGRAM, join(data, 'redis-program'))
    for (const name of ['logs', 'redis']) {
      mkdirSync(join(pathOf(name), 'here'))
      symlinkSync(join(pathOf(name), 'here'), join(data, name))
    }
    // Uploads meet the full disk itself, not the reserve before it.
    writeFileSync(
      join(data, 'settings.json'),
      JSON.stringify({ min_free_disk_percent: 0, rate_limit_enabled: false }),
    )
    product = new Product(data, {
      ...environment(),
      PASSWORD_ITERATIONS: '1000',
      LOG_LEVEL: 'info',
      FILES_URL: pathToFileURL(join(pathOf('files'), 'here')).href,
      BACKUP_DIR: '',
    })
    ada = await new Person('ada', await product.start()).signUp()
    services = running()
    expect(services).to.have.length(6)
  })
  after(async () => {
    await product?.stop()
    for (const disk of disks.values()) disk.remove()
  })
  afterEach(() => {
    for (const disk of disks.values()) disk.free()
  })

  const environment = () => ({
    DATABASE_URL: '',
    REDIS_URL: '',
    SETTINGS_FILE: join(pathOf('data'), 'settings.json'),
  })
  const diskOf = (name: string) => disks.get(name)!
  const pathOf = (name: string) => diskOf(name).path
  const running = () =>
    product
      .processes()
      .filter(({ command }) => /services\/[\w/]+\/main\.ts/.test(command))
      .map(({ pid, command }) => `${/services\/(\w+)/.exec(command)![1]} ${pid}`)
      .toSorted()

  const send = async (text: string) => {
    await ada.send('general', text)
    acknowledged.push(text)
  }
  const upload = (bytes = 3 * MIB) =>
    ada.sendFiles('general', [{ name: 'a.bin', bytes: randomBytes(bytes) }], { text: 'a file' })
  const admin = (words: string[], env: NodeJS.ProcessEnv = {}) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'infra/tools/admin.ts'), ...words], {
      env: { ...process.env, ...environment(), BOTHY_DATA: pathOf('data'), ...env },
    })

  /** Everything works, and no process was started anew. */
  async function expectAsBefore() {
    await eventually(() => send('there is room again'), BACK_WITHIN)
    await eventually(async () => expect((await upload()).status).to.equal(200), BACK_WITHIN)
    await eventually(async () => {
      const fresh = new Person('ada', ada.at)
      const answer = await fresh.postForm('/login', { username: 'ada', password: 'Bothy-in-the-hills-1!' })
      expect(answer.status, await answer.text()).to.equal(302)
    }, BACK_WITHIN)
    await eventually(
      async () => expect((await ada.fetch('/readyz?stores')).status).to.equal(200),
      BACK_WITHIN,
    )
    expect(running()).to.deep.equal(services)
    expect(product.isRunning).to.equal(true)
    const texts = (await ada.messages('general')).map(({ content }) => content)
    for (const text of acknowledged.slice(-40)) expect(texts).to.include(text)
  }

  const logOf = (name: string) => readFileSync(join(pathOf('logs'), `here/${name}.log`), 'utf8')

  it('of the logs: people notice nothing, and the log says how many lines were lost', async () => {
    diskOf('logs').fill()
    await eventually(async () => {
      await send('while nothing is logged')
      expect(product.output).to.match(/api is not logged until there is room \(ENOSPC/)
    })
    for (let i = 0; i < 20; i++) await send(`unlogged ${i}`)
    expect((await upload()).status).to.equal(200)
    diskOf('logs').free()
    await eventually(async () => {
      await send('logged again')
      expect(product.output).to.match(/api is logged again; \d+ lines were lost/)
    }, BACK_WITHIN)
    const lines = logOf('api').split('\n').filter(Boolean)
    const lost = lines.filter(line => line.includes('log lines lost')).map(line => JSON.parse(line))
    expect(lost).to.have.length(1)
    expect(lost[0].lines).to.be.greaterThan(20)
    await expectAsBefore()
  })

  it('of the files: uploads are refused with a sentence, texts go on, and nothing of the refused ones stays', async () => {
    await upload()
    const disk = diskOf('files')
    disk.fill(MIB)
    const answer = await upload()
    expect([answer.status, await answer.text()]).to.deep.equal([
      413,
      'storage full: the server has no room for files at the moment',
    ])
    const id = randomUUID()
    const begun = await ada.putJson(`/uploads/${id}`, { name: 'b.bin', size: 6 * MIB })
    expect(begun.status).to.equal(200)
    const part = await ada.appendPart(id, 0, randomBytes(5 * MIB))
    expect([part.status, await part.text()].join(' ')).to.match(/^413 .*storage full/)
    await send('without a file')
    await eventually(() => expect(readdirSync(join(disk.path, 'here/incoming'))).to.deep.equal([]))
    disk.free()
    await expectAsBefore()
  })

  it('of Redis: texts go on, and all of it when there is room', async () => {
    diskOf('redis').fill()
    await eventually(async () => {
      const { status } = await new Person('ada', ada.at).postForm('/login', {
        username: 'ada',
        password: 'Bothy-in-the-hills-1!',
      })
      expect(status).to.equal(503)
    }, 60_000)
    for (let i = 0; i < 10; i++) await send(`without Redis ${i}`)
    diskOf('redis').free()
    await expectAsBefore()
  })

  it('of the backups: the command says so, leaves nothing of the backup, and makes one when there is room', async () => {
    const folder = join(pathOf('backups'), 'here')
    const env = { BACKUP_DIR: folder, FILES_URL: pathToFileURL(join(pathOf('files'), 'here')).href }
    diskOf('backups').fill(64 * 1024)
    const refused = await admin(['backup'], env).then(
      () => '',
      (err: { stderr: string }) => err.stderr,
    )
    expect(refused).to.match(/free, and the backup needs about .*: make room, or keep fewer backups/)
    const left = readdirSync(folder, { recursive: true }).map(String)
    expect(left.filter(path => /\.(new|partial)$/.test(path))).to.deep.equal([])
    diskOf('backups').free()
    await admin(['backup'], env)
    await expectAsBefore()
  })

  it('of the database, while its log of changes needs room: refused with 503, restarted, nothing acknowledged is lost', async () => {
    diskOf('data').fill(MIB)
    const client = new pg.Client(readFileSync(join(pathOf('data'), 'database-admin-url'), 'utf8').trim())
    client.on('error', () => {})
    await client.connect()
    // Until a next piece of the log finds no room.
    const ended = new Promise<void>(resolve => client.once('end', resolve))
    void (async () => {
      for (;;) await client.query(`select pg_logical_emit_message(false, 'filler', repeat('x', 500000))`)
    })().catch(() => client.end())
    await ended
    await eventually(async () => {
      const answer = await ada.postForm('/send/general', { text: randomBytes(4_000).toString('hex') })
      expect([answer.status, await answer.text()]).to.deep.equal([503, 'temporarily unavailable'])
    }, 60_000)
    await product.until(
      () => /PostgreSQL did not start \(.*disk of .* is full/.test(product.output),
      'it is told',
    )
    expect(running()).to.deep.equal(services)
    diskOf('data').free()
    await product.until(() => product.output.includes('PostgreSQL runs again'), 'it runs again', BACK_WITHIN)
    await expectAsBefore()
  })

  it('of all at once', async () => {
    for (const disk of disks.values()) disk.fill()
    for (let i = 0; i < 20; i++) {
      const answer = await ada.postForm('/send/general', { text: `all full ${i}` })
      expect(answer.status).to.be.oneOf([200, 503])
      if (answer.status === 200) acknowledged.push(`all full ${i}`)
    }
    expect((await upload()).status).to.be.oneOf([413, 503])
    expect(running()).to.deep.equal(services)
    for (const disk of disks.values()) disk.free()
    await expectAsBefore()
  })

  it('at the start of npm start is told in a sentence, and the next start is as usual', async () => {
    await product.stop()
    diskOf('data').fill()
    const refused = await product.start().catch(() => product.output)
    expect(refused).to.match(/The disk of .* is full/)
    diskOf('data').free()
    ada.at = await product.start()
    services = running()
    await expectAsBefore()
  })
})

describe('a full disk of the requests, with files in a bucket', function () {
  this.timeout(180_000)
  let disk: SmallDisk
  let backing: TestBacking
  let s3: TestS3
  let api: RunningService
  let ada: Person

  before(async function () {
    const found = smallDisk(4)
    if (!found) return skip(this)
    disk = found
    backing = await testBacking()
    backing.settings({ min_free_disk_percent: 0, rate_limit_enabled: false })
    s3 = await startS3()
    const bucket = { ...s3.keys, FILES_URL: s3.urlOf('full'), INCOMING_DIR: disk.path }
    api = await startService('api', { ...backing.env, ...bucket })
    ada = await new Person('ada', api.url).signUp()
  })
  after(async () => {
    await api?.stop()
    await s3?.stop()
    await backing?.drop()
    disk?.remove()
  })

  it('refuses uploads with a sentence, and takes them when there is room', async () => {
    const upload = () => ada.sendFiles('general', [{ name: 'a.bin', bytes: randomBytes(2 * MIB) }])
    expect((await upload()).status).to.equal(200)
    disk.fill(MIB)
    const answer = await upload()
    expect([answer.status, await answer.text()].join(' ')).to.match(/^413 storage full/)
    await ada.send('general', 'a text')
    await eventually(() => expect(readdirSync(disk.path)).to.deep.equal(['filler']))
    disk.free()
    expect((await upload()).status).to.equal(200)
  })
})

function skip(context: Mocha.Context): void {
  console.log('      (needs the right to mount a file system in memory: run it as root)')
  context.skip()
}
