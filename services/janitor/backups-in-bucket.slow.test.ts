import { expect } from 'chai'
import pg from 'pg'
import { makeDrillDatabase } from '#shared/test-kit/drill-database.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const WITHIN = 120_000
/** Far from now: the hour does not come while the tests run. */
const BACKUP_HOUR = (new Date().getUTCHours() + 12) % 24

interface Listed {
  folder: string
  problem: string | null
  say: string
  items: {
    id: number
    ok: boolean
    done_ts: number | null
    name: string | null
    verified_ts: number | null
  }[]
}

describe('the janitor, at night, with a bucket', function () {
  this.timeout(300_000)
  let s3: TestS3
  let world: World
  let db: pg.Client
  let janitor: RunningService
  let dropDrills: () => Promise<void>

  before(async () => {
    s3 = await startS3()
    world = await newWorld({
      settings: { backup_hour: BACKUP_HOUR, backup_keep: { daily: 1, weekly: 1 } },
      env: s3.keys,
    })
    db = new pg.Client(world.backing.adminDatabaseUrl)
    await db.connect()
    dropDrills = await makeDrillDatabase(world.backing.adminDatabaseUrl)
    await world.ada.sendFiles('general', [{ name: 'plan.txt', bytes: 'Paint the door green.' }])
    await world.ada.postJson('/confirm', { password: PASSWORD })
  })
  after(async () => {
    await janitor?.stop()
    await db?.end()
    await world?.end()
    await dropDrills?.()
    await s3?.stop()
  })

  const start = async () => {
    janitor = await startService('janitor', { ...world.backing.env, BACKUP_DIR: s3.urlOf('nightly') })
  }
  const listed = () => world.ada.get<Listed>('/admin/backups')
  const ended = (count: number) =>
    eventually(async () => {
      const found = await listed()
      expect(found.items).to.have.length(count)
      expect(found.items[0]!.done_ts).to.not.equal(null)
      return found
    }, WITHIN)
  const manifests = () => s3.requests.filter(line => /^PUT .*manifest\.json/.test(line)).length

  it('says why it makes none while the bucket refuses', async () => {
    s3.door = 'refuse'
    await start()
    await eventually(async () => {
      const { problem, say } = await listed()
      expect({ problem, say }).to.deep.equal({
        problem: 'not_writable',
        say: 'The bucket of BACKUP_DIR cannot be used: the bucket refuses: 503 SlowDown.',
      })
    }, WITHIN)
    s3.door = 'open'
    await janitor.stop()
  })

  it('makes backups there, proves them by a restore, and keeps as many as the rules say', async () => {
    await start()
    const first = await ended(1)
    expect(first.items[0]).to.include({ ok: true })
    expect(first.items[0]!.verified_ts).to.be.a('number')
    expect(first.folder).to.equal(s3.urlOf('nightly'))
    expect(first.items[0]!.name).to.match(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)
    expect(manifests()).to.equal(1)
    await world.ada.postJson('/admin/backups', {})
    const second = await ended(2)
    expect(second.items[0]).to.include({ ok: true })
    const removed = `DELETE /bothy/nightly/${first.items[0]!.name}/manifest.json`
    await eventually(() => expect(s3.requests).to.include(removed), WITHIN)
  })

  it('killed in the middle, leaves no manifest, and the next one removes the rest', async () => {
    let held = 0
    s3.atRequest = async line => {
      if (!/^PUT .*\/tables\/messages\.copy/.test(line)) return
      held++
      await janitor.kill()
    }
    const before = manifests()
    await world.ada.postJson('/admin/backups', {})
    await eventually(() => expect(held).to.equal(1), WITHIN)
    await janitor.gone
    s3.atRequest = undefined
    expect(manifests()).to.equal(before)
    const half = /nightly\/([^/]+)\/tables\/messages/.exec(
      s3.requests.findLast(line => /^PUT .*\/tables\/messages\.copy/.test(line))!,
    )![1]!
    await db.query(
      `insert into backups (asked_by, asked_ts) values ('ada', extract(epoch from clock_timestamp()))`,
    )
    await start()
    await ended(4)
    expect(s3.requests.some(line => line.startsWith(`DELETE /bothy/nightly/${half}/tables/`))).to.equal(true)
    expect(manifests()).to.equal(before + 1)
  })
})
