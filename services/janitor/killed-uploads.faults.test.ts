import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import type { UploadPayload } from '#shared/domain/payloads/files.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { tasks } from './tasks.ts'

const DAY: Seconds = 24 * 3600
/** Stored in three parts of S3. */
const SIZE = 20_000_000
/** As the client sends them. */
const PART = 7_000_000
const SWEEPS = ['forget-uploads', 'sweep-orphan-files']

/** The api of the sender is killed at a request to the bucket, which then never gets there. */
const KILLS: [when: string, request: RegExp, partsLeft: number][] = [
  ['while a part comes in', /^PUT .*\/uploads\/[\w-]+\/0*7000000\b/, 0],
  ['before the file is begun', /^POST .*\/files\/.*\?uploads/, 0],
  ['between two parts of the file', /^PUT .*\/files\/.*partNumber=2/, 1],
  ['before the file is complete', /^POST .*\/files\/.*uploadId=/, 1],
  ['while the parts are removed', /^DELETE .*\/uploads\//, 0],
]

describe('a bucket, when the api is killed in the middle of uploads', function () {
  this.timeout(300_000)
  const incoming = mkdtempSync(join(tmpdir(), 'bothy-incoming-'))
  const environment = { ...process.env }
  /** Contents that a send acknowledged, by the names of their files. */
  const acknowledged = new Map<string, string>()
  let s3: TestS3
  let world: World
  let stores: OpenStores
  let ahead: Seconds = 0

  before(async () => {
    s3 = await startS3()
    const env = { ...s3.keys, FILES_URL: s3.urlOf('office'), INCOMING_DIR: incoming }
    world = await newWorld({ apis: 2, env, settings: { max_upload_size_mb: 30, max_request_size_mb: 30 } })
    world.ada.at = world.api[0]!.url
    world.bob.at = world.api[1]!.url
    Object.assign(process.env, s3.keys, { INCOMING_DIR: incoming })
    const { backing } = world
    stores = await openStores(
      {
        databaseUrl: backing.env.DATABASE_URL,
        redisUrl: backing.env.REDIS_URL,
        redisPrefix: backing.env.REDIS_PREFIX,
        filesUrl: backing.env.FILES_URL,
        settingsFile: backing.env.SETTINGS_FILE,
      },
      { now: () => Date.now() / 1000 + ahead },
    )
  })
  after(async () => {
    process.env = environment
    await stores?.stop()
    await world?.end()
    await s3?.stop()
    rmSync(incoming, { recursive: true, force: true })
  })

  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const inIncoming = () => readdirSync(incoming)

  /** The next request like this does not arrive: its api is killed. */
  function killAt(request: RegExp) {
    let isKilled = false
    s3.atRequest = async line => {
      if (isKilled || !request.test(line)) return
      isKilled = true
      await world.api[0]!.kill()
    }
    return () => isKilled
  }

  async function restart() {
    s3.atRequest = undefined
    world.api[0] = await startService('api', world.backing.env)
    world.ada.at = world.api[0].url
  }

  /** Uploads in parts and sends, by whichever api is there; restarts the one of ada whenever it is gone. */
  async function deliver(name: string, bytes: Buffer, until: () => boolean = () => false) {
    const id = randomUUID()
    for (let isSent = false; !isSent && !until(); ) {
      try {
        const begun = await world.ada.putJson(`/uploads/${id}`, { name, size: bytes.length })
        expect(begun.status).to.equal(200)
        let { offset } = (await begun.json()) as UploadPayload
        while (offset < bytes.length) {
          const part = await world.ada.appendPart(id, offset, bytes.subarray(offset, offset + PART))
          expect(part.status).to.equal(200)
          offset = ((await part.json()) as UploadPayload).offset
        }
        const sent = await world.ada.postForm('/send/general?files=all', { uploads: id, client_id: id })
        // Also for a message that was stored before the kill.
        expect(sent.status).to.equal(200)
        isSent = true
      } catch (err) {
        if (!(err instanceof TypeError)) throw err
        if (until()) break
        await world.api[0]!.gone
        await restart()
      }
    }
    return id
  }

  async function filesNamed(name: string) {
    const rows = await world.bob.get<MessagePayload[]>('/messages/general?extra=1')
    return rows.filter(row => row.extra?.file?.name === name).map(row => row.filename!)
  }

  async function sweep(later: Seconds) {
    ahead = later
    for (const name of SWEEPS) await tasks.find(task => task.name === name)!.run(stores)
    ahead = 0
  }

  async function inBucket() {
    const found: string[] = []
    for await (const { name } of stores.files.list()) found.push(name)
    for await (const { name } of stores.files.uploads.list()) found.push(`uploads/${name}`)
    return found.sort()
  }

  async function expectWhole() {
    for (const [file, hash] of acknowledged) {
      const response = await world.bob.fetch(`/files/${file}`)
      expect([response.status, sha(new Uint8Array(await response.arrayBuffer()))]).to.deep.equal([200, hash])
    }
  }

  for (const [when, request, partsLeft] of KILLS)
    it(`${when}: the file arrives once and whole, and the janitor ends what the killed one had begun`, async () => {
      const bytes = randomBytes(SIZE)
      const isKilled = killAt(request)
      await deliver(`${when}.bin`, bytes)
      expect(isKilled()).to.equal(true)
      // Where the send was acknowledged before.
      if (s3.atRequest) await restart()
      const files = await filesNamed(`${when}.bin`)
      expect(files).to.have.length(1)
      acknowledged.set(files[0]!, sha(bytes))
      await expectWhole()
      expect(s3.begun.size).to.equal(partsLeft)
      // An upload of this hour may belong to a living process.
      await sweep(0)
      expect(s3.begun.size).to.equal(partsLeft)
      await sweep(2 * 3600)
      expect([...s3.begun]).to.deep.equal([])
      expect(await inBucket()).to.deep.equal([...acknowledged.keys()].sort())
      expect(inIncoming()).to.deep.equal([])
      await expectWhole()
    })

  it('after the file and before its message: the file is swept, and the repeated send stores another', async () => {
    const bytes = randomBytes(SIZE)
    const db = new pg.Client(world.backing.adminDatabaseUrl)
    await db.connect()
    try {
      await db.query('begin')
      await db.query(`select from channels where id = 'general' for update`)
      const before = s3.requests.length
      const delivery = deliver('unnamed.bin', bytes)
      await eventually(async () => {
        const completed = s3.requests.slice(before).some(line => /^POST .*\/files\/.*uploadId=/.test(line))
        expect([completed, s3.begun.size]).to.deep.equal([true, 0])
        const { rows } = await db.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        expect(rows).to.have.length(1)
      }, 60_000)
      await world.api[0]!.kill()
      // The statement would go on without its client, and store the message.
      await db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`,
      )
      await db.query('rollback')
      await delivery
    } finally {
      await db.end()
    }
    const files = await filesNamed('unnamed.bin')
    expect(files).to.have.length(1)
    acknowledged.set(files[0]!, sha(bytes))
    expect(await inBucket()).to.have.length(acknowledged.size + 1)
    await sweep(2 * 3600)
    expect(await inBucket()).to.deep.equal([...acknowledged.keys()].sort())
    await expectWhole()
  })

  it('and nobody continues: after a day, nothing of the upload is left', async () => {
    const isKilled = killAt(/^PUT .*\/uploads\/[\w-]+\/0*14000000\b/)
    const id = await deliver('abandoned.bin', randomBytes(SIZE), isKilled)
    await world.api[0]!.gone
    await restart()
    await sweep(2 * 3600)
    expect(await inBucket()).to.include(`uploads/${id}`)
    await sweep(DAY + 3600)
    expect(await inBucket()).to.deep.equal([...acknowledged.keys()].sort())
    expect(inIncoming()).to.deep.equal([])
    await expectWhole()
  })

  it('leaves the uploads of others alone, and a bucket that tells none is no outage', async () => {
    const old = new Date(0).toISOString()
    s3.begun.set('backup', { path: '/bothy/office/2026-01-01T00-00-00Z/tables/x', initiated: old })
    s3.begun.set('other', { path: '/bothy/another/files/x', initiated: old })
    s3.begun.set('ours', { path: '/bothy/office/files/x', initiated: old })
    await sweep(0)
    expect([...s3.begun.keys()]).to.deep.equal(['backup', 'other'])
    s3.hidesBegun = true
    await sweep(0)
    expect((await world.bob.fetch(`/files/${[...acknowledged.keys()][0]}`)).status).to.equal(200)
    s3.hidesBegun = false
  })
})
