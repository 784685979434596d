import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { type FileStore, openFileStore } from '#shared/stores/files.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { temporaryFolder } from '../processes/children.ts'
import { runCommand } from './run-command.ts'

interface Told {
  copied: number
  there: number
  deleted: number
}

describe('npm run admin -- move-files', function () {
  this.timeout(240_000)
  const outside = { ...process.env }
  let folder: ReturnType<typeof temporaryFolder>
  let source: string
  let s3: TestS3
  let bucketUrl: string

  before(async () => {
    s3 = await startS3()
    folder = temporaryFolder('bothy-move-')
    source = join(folder.path, 'files')
    bucketUrl = s3.urlOf('moved')
    Object.assign(process.env, s3.keys, {
      FILES_URL: pathToFileURL(source).href,
      INCOMING_DIR: join(folder.path, 'incoming'),
    })
    const files = await openFileStore(process.env['FILES_URL']!)
    for (let i = 0; i < 60; i++) await files.put(randomBytes(1_000 * i), named(`${i}.bin`))
    await files.put(randomBytes(10_000_000), named('large.bin'))
  })
  after(async () => {
    process.env = outside
    await s3.stop()
    folder.remove()
  })

  async function run(...words: string[]): Promise<Told> {
    const { exitCode, output, fault } = await runCommand(['move-files', ...words, '--json'])
    expect({ exitCode, fault }, output).to.deep.equal({ exitCode: 0, fault: '' })
    return JSON.parse(output) as Told
  }
  const named = (rest: string) => `${'0'.repeat(32)}_${rest}`
  const namesIn = (path: string) =>
    readdirSync(path, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => name)
      .sort()
  async function expectEqual(files: FileStore, path: string) {
    const names: string[] = []
    for await (const { name } of files.list()) names.push(name)
    expect(names.sort()).to.deep.equal(namesIn(path))
    for (const name of names)
      expect((await buffer((await files.read(name))!)).equals(readFileSync(join(path, name))), name).to.equal(
        true,
      )
  }

  it('goes on after it was killed, repairs what differs, and takes what came meanwhile', async () => {
    const child = spawn(process.execPath, ['infra/tools/admin.ts', 'move-files', '--to', bucketUrl], {
      cwd: ROOT,
      stdio: 'ignore',
    })
    const puts = () => s3.requests.filter(line => line.startsWith('PUT')).length
    await eventually(() => expect(puts()).to.be.greaterThan(15), 60_000)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(puts()).to.be.lessThan(63)

    const bucket = await openFileStore(bucketUrl)
    // As of another size, or with a changed byte.
    await bucket.put(randomBytes(20_000), named('20.bin'))
    await bucket.put(Buffer.from('short'), named('30.bin'))
    const seen = s3.requests.length
    const writer = (async () => {
      await eventually(() => expect(s3.requests.length).to.be.greaterThan(seen + 20), 60_000)
      writeFileSync(join(source, named('new.bin')), 'Stored while the files moved.')
    })()
    const told = await run('--to', bucketUrl)
    await writer
    // The file of the last moment is that of the last pass.
    const last = await run('--to', bucketUrl)
    expect(last.copied).to.be.at.most(1)
    expect(told.copied + told.there + last.copied).to.equal(62)
    expect(told.there).to.be.greaterThan(5)
    await expectEqual(bucket, source)
    expect(namesIn(source)).to.have.length(62)
  })

  it('brings everything back to a folder, but no file whose name is a path', async () => {
    const back = join(folder.path, 'back')
    mkdirSync(back)
    await (await openFileStore(bucketUrl)).put(Buffer.from('1'), `folder/${named('foreign.bin')}`)
    expect((await run('--from', bucketUrl, '--to', back)).copied).to.equal(62)
    await expectEqual(await openFileStore(bucketUrl), back)
  })

  it('says which setting to change, and deletes nothing that is in use', async () => {
    const { output } = await runCommand(['move-files', '--to', bucketUrl])
    expect(output).to.include(`Now set FILES_URL=${bucketUrl}`)
    const refused = await runCommand(['move-files', '--to', bucketUrl, '--delete-source'])
    expect([refused.exitCode, refused.fault]).to.deep.equal([
      1,
      'FILES_URL names the source still: set it to the target and restart bothy before its files are deleted.',
    ])
    expect(namesIn(source)).to.have.length(62)
    const former = process.env['FILES_URL']!
    process.env['FILES_URL'] = bucketUrl
    try {
      expect((await run('--from', former, '--to', bucketUrl, '--delete-source')).deleted).to.equal(62)
      expect(namesIn(source)).to.deep.equal([])
    } finally {
      process.env['FILES_URL'] = former
    }
  })

  it('refuses places that are none, or the same', async () => {
    for (const [sentence, ...words] of [
      ['Usage', '--from', source],
      ['same place', '--from', source, '--to', `${source}/`],
      ['keys belong', '--to', 's3://key:secret@bucket/x'],
      ['There are no files', '--from', join(folder.path, 'none'), '--to', bucketUrl],
    ]) {
      const { exitCode, fault } = await runCommand(['move-files', ...words])
      expect(exitCode, sentence).to.be.greaterThan(0)
      expect(fault).to.include(sentence)
    }
  })
})
