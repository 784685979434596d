import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { openPlace } from '#shared/backup/open-place.ts'
import { rotate } from '#shared/backup/retention.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { Bucket, FOR_BACKUPS } from '#shared/stores/bucket.ts'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { temporaryFolder } from '../processes/children.ts'
import { runCommand } from './run-command.ts'

/** An office whose files and backups are in a bucket, with different prefixes. */
describe('a backup in a bucket (npm run admin)', function () {
  this.timeout(400_000)
  let s3: TestS3
  let world: World
  let folder: ReturnType<typeof temporaryFolder>
  const outside = { ...process.env }
  const databases: string[] = []

  before(async () => {
    s3 = await startS3()
    world = await newWorld({
      settings: { channels: ['general'] },
      env: { ...s3.keys, FILES_URL: s3.urlOf('office') },
    })
    folder = temporaryFolder('bothy-bucket-')
    Object.assign(process.env, world.backing.env, {
      DATABASE_ADMIN_URL: world.backing.adminDatabaseUrl,
      INCOMING_DIR: join(folder.path, 'incoming'),
    })
    const { ada, bob } = world
    await ada.send('general', 'Good morning, the kettle is on.')
    await ada.sendFiles('general', [{ name: 'plan.txt', bytes: 'Paint the door green.' }])
    await bob.sendFiles('general', [{ name: 'film.bin', bytes: randomBytes(9_000_000) }])
  })
  after(async () => {
    process.env = outside
    for (const url of databases)
      await world.backing.admin(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
    await world?.end()
    folder?.remove()
    await s3?.stop()
  })
  afterEach(() => {
    delete process.env['BACKUP_PASSPHRASE']
    s3.door = 'open'
    s3.atRequest = undefined
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
  const newDatabase = () => {
    const url = withDatabase(world.backing.adminDatabaseUrl, `bothy_${randomUUID().slice(0, 8)}`)
    databases.push(url)
    return url
  }
  const newPlace = () => s3.urlOf(randomUUID())
  async function objectsIn(address: string, prefix = ''): Promise<string[]> {
    const keys: string[] = []
    for await (const { key } of new Bucket(address, FOR_BACKUPS).list(prefix)) keys.push(key)
    return keys
  }

  for (const passphrase of [undefined, 'four words on paper'])
    it(`${passphrase ? 'is encrypted' : 'is made'}, verified, proven, and restored with its files into a bucket or a folder`, async () => {
      if (passphrase) process.env['BACKUP_PASSPHRASE'] = passphrase
      const place = newPlace()
      const { path, files } = await json<{ path: string; files: number }>('backup', '--to', place)
      expect(files).to.equal(2)
      expect(path).to.match(/^s3:\/\/bothy\/[\w-]+\/\d{4}-[\w-]+Z\?endpoint=/)
      const { items } = await json<{ items: { path: string }[] }>('backups', '--in', place)
      expect(items.map(item => item.path)).to.deep.equal([path])
      expect(await json('verify', path)).to.include({ ok: true, files: 2 })
      expect(await json('verify', path, '--drill')).to.include({ ok: true, files: 2 })
      const [bucket, disk] = [s3.urlOf(randomUUID()), join(folder.path, randomUUID())]
      for (const to of [bucket, disk])
        expect(await json('restore', path, '--into', newDatabase(), '--files', to)).to.deep.include({
          files: { copied: 2, there: 0 },
        })
      const { openFileStore } = await import('#shared/stores/files.ts')
      const office = await openFileStore(world.backing.env.FILES_URL)
      for (const to of [bucket, pathToFileURL(disk).href]) {
        const restored = await openFileStore(to)
        for await (const { name } of restored.list()) {
          const [ours, theirs] = [await office.read(name), await restored.read(name)]
          expect((await buffer(theirs!)).equals(await buffer(ours!)), name).to.equal(true)
        }
      }
      if (passphrase) expect((await objectsIn(place)).join()).to.not.include('plan')
    })

  it('fails to verify once a byte of any of its objects is changed, and names it', async () => {
    const place = newPlace()
    const { path } = await json<{ path: string }>('backup', '--to', place)
    const bucket = new Bucket(place, FOR_BACKUPS)
    const keys = await objectsIn(place)
    expect(keys.length).to.be.greaterThan(50)
    for (const [i, key] of keys.entries()) {
      // Each takes a complete reading: a sample, and everything but the tables.
      if (key.includes('/tables/') && i % 10 !== 0) continue
      const bytes = await buffer((await bucket.read(key))!)
      const changed = Buffer.from(bytes)
      changed[Math.floor(bytes.length / 2)]! ^= 1
      await bucket.put(key, changed)
      await refused(key.replace(/^\d{4}[^/]*\//, ''), 'verify', path)
      await bucket.put(key, bytes)
    }
    const lost = keys.find(key => key.endsWith('tables/messages.copy.zst'))!
    await bucket.remove(lost)
    await refused('tables/messages.copy.zst is missing', 'verify', path)
    await refused('this is not a complete backup', 'verify', path.replace(/Z\?/, 'Zz?'))
  })

  it('is not made where the files of the office are', async () => {
    await refused('need different prefixes', 'backup', '--to', s3.urlOf('office'))
    await refused('need different prefixes', 'backup', '--to', s3.urlOf('office/files/nightly'))
  })

  it('killed at any request, leaves a whole backup or none, and the next one removes the rest', async () => {
    const place = newPlace()
    const whole = await json<{ path: string }>('backup', '--to', place)
    const [first] = await openPlace(place).backups()
    s3.requests.length = 0
    await json('backup', '--to', newPlace())
    const all = s3.requests.length
    expect(all).to.be.greaterThan(60)
    const moments = [5, Math.floor(all / 2), all - 2, all - 1, all]
    for (const moment of moments) {
      // A place of its own, where the files are copied anew, or one that has a backup.
      const target = moment === all ? place : newPlace()
      const before = await openPlace(target).backups()
      const lines = await killedAt(moment, target)
      const left = await openPlace(target).backups()
      expect(left.length - before.length, lines.at(-1)).to.be.within(0, 1)
      for (const name of left)
        expect(await json('verify', openPlace(target).addressOf(name))).to.include({ ok: true })
      const next = await json<{ path: string }>('backup', '--to', target)
      expect(await json('verify', next.path)).to.include({ ok: true, files: 2 })
      const known = await openPlace(target).backups()
      for (const key of await objectsIn(target))
        expect(
          key.startsWith('files/') || known.some(name => key.startsWith(`${name}/`)),
          `${key} after request ${moment}`,
        ).to.equal(true)
      expect([...s3.begun.values()], 'uploads in parts').to.deep.equal([])
    }
    expect(await openPlace(place).backups()).to.include(first)
    expect(await json('verify', whole.path)).to.include({ ok: true })
  })

  /** Runs `admin backup` and kills it while its request of this number is held back. */
  async function killedAt(moment: number, target: string): Promise<string[]> {
    const lines: string[] = []
    const child = spawn(process.execPath, ['infra/tools/admin.ts', 'backup', '--to', target], {
      cwd: ROOT,
      stdio: 'ignore',
    })
    const isOver = once(child, 'exit')
    s3.atRequest = async line => {
      lines.push(line)
      if (lines.length < moment) return
      child.kill('SIGKILL')
      await isOver
    }
    await isOver
    s3.atRequest = undefined
    return lines
  }

  it('goes with its files when the rules do not keep it, and the files of others stay', async () => {
    const place = newPlace()
    const [old, kept] = [
      await json<{ path: string }>('backup', '--to', place),
      await (async () => {
        const film = (await world.bob.messages('general')).findLast(row => row.filename?.endsWith('.bin'))!
        await world.bob.delete(film.id)
        return json<{ path: string; files: number }>('backup', '--to', place)
      })(),
    ]
    const pooled = (await objectsIn(place, 'files/')).length
    expect(pooled).to.equal(2)
    // As a killed process leaves it.
    const left = new Bucket(place, FOR_BACKUPS)
    await left.put(`files/00/${'0'.repeat(32)}_leftover.txt`, Buffer.from('x'))
    await left.put('files/00/of-somebody-else', Buffer.from('x'))
    const asOfJanitor = new Set([old, kept].map(({ path }) => /[^/?]+(?=\?|$)/.exec(path)![0]))
    const done = await rotate(openPlace(place), { daily: 1, weekly: 1 }, asOfJanitor)
    expect(done.backups).to.have.length(1)
    expect(done.files).to.equal(1 + pooled - kept.files)
    await refused('not a complete backup', 'verify', old.path)
    expect(await json('verify', kept.path)).to.include({ ok: true, files: kept.files })
    expect(await objectsIn(place, 'files/00/of')).to.have.length(1)
  })

  it('outlasts a bucket that breaks off a content, and one that is away for a moment', async () => {
    const place = newPlace()
    let count = 0
    s3.atRequest = () => {
      count++
      s3.door = count > 20 && count < 24 ? 'refuse' : 'open'
    }
    const { path } = await json<{ path: string }>('backup', '--to', place)
    s3.atRequest = line => {
      s3.door = line.startsWith('GET') && count++ % 5 === 0 ? 'cut' : 'open'
    }
    expect(await json('verify', path)).to.include({ ok: true })
  })
})
