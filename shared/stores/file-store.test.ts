import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { mock } from 'node:test'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { type ByteRange, type FileStore, openFileStore } from './files.ts'
import { FilesAway } from './files-away.ts'

const MIB = 1024 * 1024

for (const kind of ['folder', 'bucket'] as const) {
  describe(`files in a ${kind}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'bothy-files-'))
    const environment = { ...process.env }
    let s3: TestS3 | undefined
    let files: FileStore
    before(async () => {
      s3 = kind === 'bucket' ? await startS3() : undefined
      Object.assign(process.env, s3?.keys, { INCOMING_DIR: join(folder, 'incoming') })
      files = await openFileStore(s3 ? s3.urlOf('office') : pathToFileURL(folder).href)
    })
    after(async () => {
      process.env = environment
      await s3?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const contentOf = async (name: string, range?: ByteRange) => {
      const bytes = await files.read(name, range)
      return bytes && (await buffer(bytes))
    }
    const listed = async () => {
      const sizes: Record<string, number> = {}
      for await (const { name, size } of files.list()) sizes[name] = size
      return sizes
    }
    const incoming = (bytes: Buffer) => {
      const path = join(files.incoming, randomUUID())
      writeFileSync(path, bytes)
      return path
    }

    it('come back whole and in ranges', async () => {
      const bytes = randomBytes(300_000)
      await files.put(bytes, 'a.png')
      expect(await files.size('a.png')).to.equal(300_000)
      expect((await contentOf('a.png'))!.equals(bytes)).to.equal(true)
      const part = await contentOf('a.png', { start: 100, end: 199 })
      expect(part!.equals(bytes.subarray(100, 200))).to.equal(true)
      await files.remove('a.png')
    })

    it('are undefined where there is none', async () => {
      expect([await files.size('none.png'), await files.read('none.png')]).to.deep.equal([
        undefined,
        undefined,
      ])
      await files.remove('none.png')
    })

    it('larger than a part of an upload are stored and copied as they are', async () => {
      const bytes = randomBytes(20 * MIB + 7)
      const path = incoming(bytes)
      await files.keepCopy(path, 'large.bin')
      expect(readdirSync(files.incoming)).to.have.length(1)
      await files.keep(path, 'moved.bin')
      expect(readdirSync(files.incoming)).to.deep.equal([])
      await files.copy('moved.bin', 'copied.bin')
      for (const name of ['large.bin', 'moved.bin', 'copied.bin']) {
        expect((await contentOf(name))!.equals(bytes), name).to.equal(true)
        await files.remove(name)
      }
    })

    it('may be empty', async () => {
      await files.keep(incoming(Buffer.alloc(0)), 'empty.txt')
      expect([await files.size('empty.txt'), (await contentOf('empty.txt'))!.length]).to.deep.equal([0, 0])
      await files.remove('empty.txt')
    })

    it('are no longer there when their copy begins', async () => {
      const outcome = await files.copy('gone.bin', 'b.bin').catch((err: NodeJS.ErrnoException) => err)
      expect(outcome).to.have.property('code', 'ENOENT')
    })

    it('are listed with their sizes, apart from uploads, and go with their thumbnails', async () => {
      const image = `${'0'.repeat(32)}.png`
      const id = randomUUID()
      await files.put(Buffer.from('12345'), image)
      await files.put(Buffer.from('123'), `${'0'.repeat(32)}.png.360.webp`)
      await files.uploads.append(id, incoming(Buffer.from('part')), 0)
      expect(await listed()).to.include({ [image]: 5 })
      expect(Object.keys(await listed())).to.not.include(id)
      await files.remove(image)
      expect(await files.size(image)).to.equal(undefined)
      await files.uploads.remove(id)
      await files.remove(`${'0'.repeat(32)}.png.360.webp`)
    })

    it('are listed by the names that bothy gives, and foreign names are left out', async () => {
      const name = `${'0'.repeat(32)}_plan.txt`
      const all = [name, 'plan.txt', '.DS_Store', ...(kind === 'bucket' ? [`folder/${name}`] : [])]
      for (const one of all) await files.put(Buffer.from('1'), one)
      expect(await listed()).to.deep.equal({ [name]: 1 })
      for (const one of all) await files.remove(one)
      if (kind === 'folder')
        expect(await files.size('../escaped').catch((err: Error) => err.message)).to.equal(
          'Not a name of a file.',
        )
    })

    it('come together from parts', async () => {
      const id = randomUUID()
      const bytes = randomBytes(900_000)
      expect(await files.uploads.received(id)).to.equal(0)
      for (const offset of [0, 400_000, 800_000]) {
        const part = bytes.subarray(offset, Math.min(offset + 400_000, bytes.length))
        await files.uploads.append(id, incoming(part), offset)
        expect(await files.uploads.received(id)).to.equal(offset + part.length)
      }
      await files.uploads.sync(id)
      const { path, isCopy } = await files.uploads.whole(id)
      expect((await readFile(path)).equals(bytes)).to.equal(true)
      if (isCopy) await rm(path)
      const open = []
      for await (const { name, size } of files.uploads.list()) open.push([name, size])
      expect(open).to.deep.equal([[id, 900_000]])
      await files.uploads.remove(id)
      expect(await files.uploads.received(id)).to.equal(0)
    })

    it('forgets what a killed process left', async () => {
      for (const left of readdirSync(files.incoming)) await rm(join(files.incoming, left))
      incoming(Buffer.from('left'))
      expect(await files.removeIncoming(Date.now() / 1000 - 60)).to.equal(0)
      expect(await files.removeIncoming(Date.now() / 1000 + 60)).to.equal(1)
    })

    if (kind === 'bucket') {
      it('forgets after a day what a killed process left on a machine without a janitor', async () => {
        mock.timers.enable({ apis: ['setInterval'] })
        try {
          await openFileStore(s3!.urlOf('office'))
          const [left, fresh] = [incoming(Buffer.from('left')), incoming(Buffer.from('fresh'))]
          const yesterday = Date.now() / 1000 - 25 * 3600
          utimesSync(left, yesterday, yesterday)
          mock.timers.tick(3_600_000)
          await eventually(() => expect(existsSync(left)).to.equal(false))
          expect(existsSync(fresh)).to.equal(true)
          await rm(fresh)
        } finally {
          mock.timers.reset()
        }
      })

      it('ends only its own uploads in parts, and those of before', async () => {
        const initiated = (ago: number) => new Date(Date.now() - ago * 1000).toISOString()
        const begin = (id: string, key: string, ago: number) =>
          s3!.begun.set(id, { path: `/bothy/${key}`, initiated: initiated(ago) })
        begin('old', 'office/files/a', 7200)
        begin('young', 'office/files/b', 60)
        begin('backup', 'office/2026-01-01T00-00-00Z/tables/a', 7200)
        begin('neighbour', 'office2/files/a', 7200)
        expect(await files.removeIncoming(Date.now() / 1000 - 3600)).to.equal(1)
        expect([...s3!.begun.keys()]).to.deep.equal(['young', 'backup', 'neighbour'])
        s3!.begun.clear()
      })

      it('count the parts of an upload up to the first gap, though one came late', async () => {
        const id = randomUUID()
        await files.uploads.append(id, incoming(Buffer.from('0123456789')), 0)
        await files.uploads.append(id, incoming(Buffer.from('abc')), 10)
        // A repeated, shorter part replaces the first one.
        await files.uploads.append(id, incoming(Buffer.from('01234')), 0)
        expect(await files.uploads.received(id)).to.equal(5)
        await files.uploads.append(id, incoming(Buffer.from('56789')), 5)
        expect(await files.uploads.received(id)).to.equal(13)
        await files.uploads.remove(id)
      })

      it('survive a bucket that refuses for a moment', async () => {
        s3!.door = 'refuse'
        const put = files.put(Buffer.from('12'), 'patient.txt')
        while (!s3!.requests.some(line => line.includes('patient.txt'))) await new Promise(setImmediate)
        s3!.door = 'open'
        await put
        expect(await files.size('patient.txt')).to.equal(2)
      })

      it('are away, in words, where contents break off', async () => {
        await files.put(randomBytes(200_000), 'broken.bin')
        s3!.door = 'cut'
        const outcome = await contentOf('broken.bin').catch((err: unknown) => err)
        s3!.door = 'open'
        expect(outcome).to.be.instanceOf(FilesAway)
      })

      it('are refused with the word of the bucket where the keys are wrong', async () => {
        process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong'
        const others = await openFileStore(s3!.urlOf('office'))
        const outcome = await others.put(Buffer.from('1'), 'x.txt').catch((err: unknown) => err)
        expect(String(outcome)).to.match(/refuses: 403 SignatureDoesNotMatch/)
      })
    }
  })
}
