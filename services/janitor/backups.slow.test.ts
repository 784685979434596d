import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { folderNameOf } from '#shared/backup/layout.ts'
import { openBackup, verifyBackup } from '#shared/backup/read-backup.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { makeDrillDatabase } from '#shared/test-kit/drill-database.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD } from '#shared/test-kit/person.ts'
import { freePort, type RunningService, startService } from '#shared/test-kit/processes.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

interface Row {
  id: string
  ok: boolean
  path: string | null
  verified_ts: number | null
  done_ts: number | null
  report: { fault?: string; killed?: boolean; rows?: number; newer?: string[] }
}

const WITHIN = 120_000
/** Far from now: the hour does not come while the tests run. */
const BACKUP_HOUR = (new Date().getUTCHours() + 12) % 24

/** In order: each test goes on where the one before ended. */
describe('the janitor, at night', function () {
  this.timeout(300_000)
  let world: World
  let db: pg.Client
  let folder: string
  let janitor: RunningService
  let metricsPort: number
  let dropDrills: (() => Promise<void>) | undefined

  before(async () => {
    // Only the newest backup is kept, also if midnight comes between two.
    world = await newWorld({ settings: { backup_hour: BACKUP_HOUR, backup_keep: { daily: 1, weekly: 1 } } })
    db = new pg.Client(world.backing.adminDatabaseUrl)
    await db.connect()
    folder = mkdtempSync(join(tmpdir(), 'bothy-nightly-'))
    await world.ada.send('general', 'before the backup')
    await world.ada.postJson('/confirm', { password: PASSWORD })
  })
  after(async () => {
    await janitor?.stop()
    await db.end()
    await world.end()
    await dropDrills?.()
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async () => {
    metricsPort = await freePort()
    janitor = await startService('janitor', {
      ...world.backing.env,
      BACKUP_DIR: folder,
      METRICS_PORT: String(metricsPort),
    })
  }
  const rows = async () => (await db.query<Row>('select * from backups order by id')).rows
  const newest = async () => (await rows()).at(-1)
  const ended = (count: number) =>
    eventually(async () => {
      const all = await rows()
      expect(all).to.have.length(count)
      expect(all.at(-1)!.done_ts).to.not.equal(null)
      return all.at(-1)!
    }, WITHIN)
  const folders = (ending: string) => readdirSync(folder).filter(name => name.endsWith(ending))
  /** The rotation comes after the end of the row. */
  const isRotated = () =>
    eventually(async () => {
      const own = (await rows()).map(({ path }) => path && basename(path))
      expect(folders('.partial')).to.deep.equal([])
      expect(folders('Z').filter(name => own.includes(name))).to.have.length(1)
    }, WITHIN)
  const told = async () => (await world.ada.messages('dm:ada:system')).map(row => row.content)

  it('makes a backup, and tells the owners where no restore can be proven', async () => {
    await start()
    const row = await ended(1)
    expect(row).to.include({ ok: false, verified_ts: null })
    expect(row.report.fault).to.match(/^There is no database to prove backups in\. Make one: create database/)
    expect(existsSync(join(row.path!, 'manifest.json'))).to.equal(true)
    await eventually(async () => {
      expect((await told()).join()).to.include('Tonight’s backup failed: There is no database to prove')
    }, WITHIN)
    expect((await world.bob.get<{ channel: string }[]>('/dms')).map(dm => dm.channel)).to.not.include(
      'dm:bob:system',
    )
  })

  it('proves the one that an owner asks for by a restore, while people write', async () => {
    dropDrills = await makeDrillDatabase(world.backing.adminDatabaseUrl)
    await db.query(
      `insert into backups (asked_by, asked_ts) values ('ada', extract(epoch from clock_timestamp()))`,
    )
    let sent = 0
    const isDone = async () => (await newest())!.done_ts !== null
    while (!(await isDone())) {
      await world.bob.send('general', `during the backup ${sent++}`)
      expect(sent).to.be.lessThan(10_000)
    }
    const row = await ended(2)
    expect(row.ok, JSON.stringify(row.report)).to.equal(true)
    expect(row.verified_ts).to.be.a('number')
    expect(row.report.rows).to.be.greaterThan(10)
    expect(await verifyBackup(await openBackup(row.path!))).to.include({ files: 0 })
    await eventually(async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      expect(text).to.match(/^bothy_backup_verified 1$/m)
      expect(text).to.match(/^bothy_backup_age_seconds \d/m)
    }, WITHIN)
  })

  it('killed in the middle, leaves nothing that looks whole, and starts anew', async () => {
    await isRotated()
    const before = folders('Z')
    const holder = new pg.Client(world.backing.adminDatabaseUrl)
    await holder.connect()
    // The backup reads the sequences after the tables, and waits there.
    await holder.query('begin; alter sequence invites_id_seq rename to held')
    await db.query(
      `insert into backups (asked_by, asked_ts) values ('ada', extract(epoch from clock_timestamp()))`,
    )
    let partial: string | undefined
    try {
      await eventually(() => {
        partial = folders('.partial')[0]
        expect(readdirSync(join(folder, partial!, 'tables'))).to.include('messages.copy.zst')
      }, WITHIN)
      const asked = await world.ada.postJson('/admin/backups', {})
      expect(await asked.json(), 'the one being made').to.deep.equal({ id: Number((await newest())!.id) })
      await janitor.kill()
    } finally {
      await holder.end()
    }
    expect(folders('Z')).to.deep.equal(before)
    expect(folders('.partial')).to.deep.equal([partial])
    expect(await newest()).to.include({ done_ts: null, ok: false })

    // Asked again, since the night has its backup already.
    await db.query(
      `insert into backups (asked_by, asked_ts) values ('ada', extract(epoch from clock_timestamp()))`,
    )
    await start()
    const row = await ended(4)
    expect(row.ok, JSON.stringify(row.report)).to.equal(true)
    expect((await rows())[2]).to.deep.include({ ok: false, report: { killed: true } })
    await isRotated()
    await verifyBackup(await openBackup(row.path!))
  })

  it('starts a nightly backup anew at once after it was killed, but an hour later after a failure', async () => {
    await janitor.stop()
    await db.query(`delete from backups;
      insert into backups (asked_ts, started_ts)
      select time, time from (select extract(epoch from clock_timestamp()) as time) now`)
    await start()
    expect(await ended(2)).to.include({ ok: true })
    await janitor.stop()
    await db.query(`delete from backups;
      insert into backups (asked_ts, started_ts, done_ts, report)
      select time, time, time, '{"fault": "disk"}' from (select extract(epoch from clock_timestamp()) as time) now`)
    await start()
    await pause(7_000)
    expect(await rows()).to.have.length(1)
    await db.query('update backups set done_ts = done_ts - 3601')
    expect(await ended(2)).to.include({ ok: true })
  })

  it('proves a backup of the schema that an upgrade left when it went back to this release', async () => {
    // Everything that a release may do whose migration states that this one runs on its schema (docs/adr/0015).
    await db.query(`
      create type weather as enum ('sun', 'rain');
      create table forecasts (
        id bigint generated always as identity primary key,
        day date not null, sky weather not null, words text[] not null default '{}'
      );
      grant select on forecasts, forecasts_id_seq to public;
      insert into forecasts (day, sky, words) values ('2026-11-24', 'rain', '{cold,"very \\"wet\\""}');
      alter table users add column pronouns text not null default 'they';
      create index users_by_pronouns on users (pronouns, id);
      alter table activity drop constraint if exists activity_kind_check;
      insert into activity (username, kind, channel, message_id, ts)
      select 'bob', 'forecast', channel, id, 1 from messages order by id limit 1;
      insert into schema_migrations (name, works_from) values ('9001_forecasts.sql', '${VERSION}')`)
    await db.query(
      `insert into backups (asked_by, asked_ts) values ('ada', extract(epoch from clock_timestamp()))`,
    )
    const row = await ended(3)
    expect(row.ok, JSON.stringify(row.report)).to.equal(true)
    expect(row.report.newer).to.deep.equal(['9001_forecasts.sql'])
    await isRotated()
  })

  it('runs the hook of the operator with a proven backup, and tells the owners when it fails', async () => {
    mkdirSync(join(folder, 'hooks'), { recursive: true })
    const hook = join(folder, 'hooks/after-backup')
    writeFileSync(hook, `#!/bin/sh\ntest -f "$1/manifest.json" || exit 9\necho no such host\nexit 4\n`)
    chmodSync(hook, 0o700)
    // An upgrade made it, and may go back to it.
    const ofUpgrade = join(folder, folderNameOf(Date.now() / 1_000 - 60))
    cpSync((await newest())!.path!, ofUpgrade, { recursive: true })
    await world.ada.postJson('/admin/backups', {})
    expect(await ended(4)).to.include({ ok: true })
    await eventually(async () => {
      expect((await told()).join()).to.include('hooks/after-backup ended with 4. no such host')
    }, WITHIN)
    expect((await newest())!.ok).to.equal(true)
    await isRotated()
    expect(existsSync(ofUpgrade)).to.equal(true)
  })

  it('tells the owners once when none was proven for 48 hours', async () => {
    const warnings = async () =>
      (await told()).filter(text => text?.startsWith('No backup has been proven for 48 hours.'))
    expect(await warnings()).to.deep.equal([])
    await db.query(`update backups set verified_ts = verified_ts - 172801;
                    update backup_target set since_ts = since_ts - 172801, warned_ts = null`)
    await eventually(async () => expect(await warnings()).to.have.length(1), WITHIN)
    await pause(6_000)
    expect(await warnings()).to.have.length(1)
  })
})
