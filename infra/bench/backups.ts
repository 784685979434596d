/**
 * Measures backup, verification, drill and restore of a seeded office, and sends during a backup.
 *
 *   node infra/bench/backups.ts [messages in each of 200 channels, default 5,000] [files, default 500] [backups, 2 to 5, default 5]
 *
 * Files have 1 MiB that does not compress; the disk needs three times their room. The database of the bench does not sync to the disk (fsync=off); backups do.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { makeBackup } from '#shared/backup/make-backup.ts'
import { openPlace } from '#shared/backup/open-place.ts'
import { NIGHT_SHARE } from '#shared/backup/pace.ts'
import { openBackup, verifyBackup } from '#shared/backup/read-backup.ts'
import { restoreBackup } from '#shared/backup/restore-backup.ts'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { closeRunBacking, testBacking } from '#shared/test-kit/stores.ts'
import { temporaryFolder } from '../processes/children.ts'
import { seedOffice } from './office-data.ts'
import { SendTimer } from './send-timer.ts'

const [each = 5_000, files = 500, backups = 5] = process.argv.slice(2).map(Number)
const backing = await testBacking()
const { path: folder, remove } = temporaryFolder('bothy-bench-backups-')
const restored = `${new URL(backing.adminDatabaseUrl).pathname.slice(1)}_restored`
let sends: SendTimer | undefined
const api = await startService('api', { ...backing.env, LOG_LEVEL: 'error' }, { checked: false })
try {
  const admin = new pg.Pool({ connectionString: backing.adminDatabaseUrl, max: 1 })
  await seedOffice(sql => admin.query(sql), admin, { people: 2_000, each })
  const { rows } = await admin.query(
    'select pg_database_size(current_database())::double precision as bytes, (select count(*) from messages) as messages',
  )
  await admin.end()
  const uploads = fileURLToPath(backing.env.FILES_URL)
  mkdirSync(uploads, { recursive: true })
  for (let i = 0; i < files; i++)
    writeFileSync(join(uploads, `${randomUUID().replaceAll('-', '')}_file.bin`), randomBytes(2 ** 20))
  const bytes: number = rows[0].bytes
  console.log(`${rows[0].messages} messages, database ${mib(bytes)}, files ${files} MiB`)

  sends = await SendTimer.open(api.url)
  console.log(`sends alone            ${show(await sends.during(pause(10_000)))}`)
  const source = {
    databaseUrl: backing.env.DATABASE_URL,
    filesUrl: backing.env.FILES_URL,
    settingsFile: backing.env.SETTINGS_FILE,
    secrets: {},
  }
  const target = { place: openPlace(join(folder, 'backups')) }
  for (const [which, share] of [
    ['first backup', 1],
    ['second backup', 1],
    ['as at night', NIGHT_SHARE],
    ['third backup', 1],
    ['as at night', NIGHT_SHARE],
  ].slice(0, backups) as [string, number][]) {
    const making = timed(which, bytes, () => makeBackup({ ...source, share }, target))
    const during = await sends.during(making)
    const { path, bytes: added } = await making
    console.log(`sends during it        ${show(during)}; ${mib(added)} added`)
    console.log(`sends alone            ${show(await sends.during(pause(10_000)))}`)
    if (which !== 'second backup') continue
    const backup = await openBackup(path)
    await timed('verify', bytes, () => verifyBackup(backup))
    await timed('restore', bytes, () =>
      restoreBackup(backup, {
        databaseUrl: withDatabase(backing.adminDatabaseUrl, restored),
        filesUrl: pathToFileURL(join(folder, 'files')).href,
        replace: false,
      }),
    )
    await backing.admin(`drop database ${restored} with (force)`)
    rmSync(join(folder, 'files'), { recursive: true })
  }
  rmSync(join(folder, 'backups'), { recursive: true })
  const sealed = { place: openPlace(join(folder, 'sealed')), passphrase: 'four words on paper' }
  await timed('encrypted backup', bytes, () => makeBackup(source, sealed))
} finally {
  await sends?.close()
  await api.stop()
  await backing.admin(`drop database if exists ${restored} with (force)`)
  await backing.drop()
  remove()
  await closeRunBacking()
}

async function timed<T>(what: string, bytes: number, work: () => Promise<T>): Promise<T> {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 100)
  const before = process.memoryUsage().rss
  const began = performance.now()
  const result = await work()
  const seconds = (performance.now() - began) / 1000
  clearInterval(timer)
  console.log(
    `${what.padEnd(22)} ${seconds.toFixed(1)} s, ${mib(bytes / seconds)} of the database a second, memory at most ${mib(most)} (before ${mib(before)})`,
  )
  return result
}

function show(times: number[]): string {
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1)
  return `${times.length} sends, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}
