import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import { openBackup } from '#shared/backup/read-backup.ts'
import { restoreBackup } from '#shared/backup/restore-backup.ts'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person } from '#shared/test-kit/person.ts'
import { type RunningService, startFrontDoor, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { temporaryFolder } from '../processes/children.ts'
import { runCommand } from './run-command.ts'

interface Attempt {
  text: string
  status: number
  /** Of `performance.now()`. */
  began: number
  ended: number
}

/** A person who writes without pause, and signs in again when signed out. */
function writer(person: Person) {
  const attempts: Attempt[] = []
  let going = true
  const done = (async () => {
    for (let i = 0; going; i++) {
      const [text, began] = [`${person.name} ${i}`, performance.now()]
      const answer = await person.postForm('/send/general', { text }).catch(() => undefined)
      attempts.push({ text, status: answer?.status ?? 0, began, ended: performance.now() })
      if (answer?.status === 302)
        await person.postForm('/login', { username: person.name, password: PASSWORD }).catch(() => {})
      await pause(20)
    }
  })()
  return {
    attempts,
    async stop() {
      going = false
      await done
    },
  }
}

describe('a restore in the place of a database that people use', function () {
  this.timeout(240_000)
  let world: World
  let events: RunningService
  let janitor: RunningService
  let door: Awaited<ReturnType<typeof startFrontDoor>>
  let folder: ReturnType<typeof temporaryFolder>
  let backup: string
  const outside = { ...process.env }
  const kept: string[] = []

  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    events = await startService('events', world.backing.env)
    janitor = await startService('janitor', world.backing.env)
    door = await startFrontDoor(world.api, [events])
    folder = temporaryFolder('bothy-in-place-')
    Object.assign(process.env, world.backing.env, {
      DATABASE_ADMIN_URL: world.backing.adminDatabaseUrl,
      BACKUP_DIR: join(folder.path, 'backups'),
    })
    for (const person of people()) person.at = door.url
    await world.ada.sendFiles('general', [{ name: 'plan.txt', bytes: 'Paint the door green.' }])
    backup = (JSON.parse((await runCommand(['backup', '--json'])).output) as { path: string }).path
  })
  after(async () => {
    process.env = outside
    await door.close()
    await Promise.all([events, janitor].map(service => service.stop()))
    for (const name of kept)
      await world.backing.admin(`drop database if exists "${name}" with (force)`).catch(() => {})
    folder.remove()
    await world.end()
  })

  const people = () => [world.ada, world.bob, world.cleo, world.mallory]

  async function textsIn(url: string): Promise<Set<string>> {
    const client = new pg.Client(url)
    await client.connect()
    const { rows } = await client.query<{ content: string }>(
      'select content from messages where content is not null',
    )
    await client.end()
    return new Set(rows.map(({ content }) => content))
  }

  it('leaves api and gateways running, and refuses requests for the renaming only', async () => {
    const tab = await openTab(door.url, world.ada.cookie, { channel: 'general' })
    const writers = people().map(writer)
    await eventually(() => expect(writers.every(({ attempts }) => attempts.length > 20)).to.equal(true))
    const run = await runCommand(['restore', backup, '--replace', '--json'])
    expect(run.exitCode, run.output).to.equal(0)
    const done = JSON.parse(run.output) as { kept: string; outage_seconds: number; seconds: number }
    kept.push(done.kept)
    const ended = performance.now()
    await eventually(
      () =>
        expect(
          writers.every(({ attempts }) => attempts.some(one => one.began > ended && one.status === 200)),
        ).to.equal(true),
      30_000,
    )
    await Promise.all(writers.map(one => one.stop()))

    for (const service of [...world.api, events]) {
      await eventually(() =>
        expect(service.output(), service.name).to.include('goes on with the restored one'),
      )
      expect(() => process.kill(service.pid, 0), service.name).to.not.throw()
    }
    await eventually(() => expect(tab.isOpen, 'the stream of a session that ended').to.equal(false))

    const attempts = writers.flatMap(one => one.attempts)
    const acknowledged = attempts.filter(({ status }) => status === 200)
    const refused = attempts.filter(({ status }) => status !== 200 && status !== 302)
    // 504: the api stood still, as on an overloaded machine.
    expect([503, 504]).to.include.members(refused.map(({ status }) => status))
    const away =
      refused.length === 0
        ? 0
        : (Math.max(...refused.map(one => one.ended)) - Math.min(...refused.map(one => one.began))) / 1000
    console.log(
      `  (restore ${done.seconds.toFixed(1)} s, renaming ${done.outage_seconds.toFixed(2)} s; ${refused.length} of ${attempts.length} sends refused within ${away.toFixed(2)} s)`,
    )
    // On a loaded machine the first connections take their time.
    expect(away).to.be.lessThan(done.outage_seconds + 4)

    // Each acknowledged text is in the former database or in the restored one, and none in between in the wrong one.
    const url = world.backing.env.DATABASE_URL
    const [before, now] = await Promise.all([
      textsIn(withDatabase(world.backing.adminDatabaseUrl, done.kept)),
      textsIn(url),
    ])
    expect(acknowledged.filter(({ text }) => !before.has(text) && !now.has(text))).to.deep.equal([])
    const lastBefore = Math.max(...acknowledged.filter(({ text }) => before.has(text)).map(one => one.ended))
    const firstNow = Math.min(...acknowledged.filter(({ text }) => now.has(text)).map(one => one.ended))
    expect(firstNow).to.be.greaterThan(lastBefore)
  })

  it('starts the service once in the restored database, whatever process comes first', async () => {
    // The queue's tables belong to a database: the janitor's supervisor starts it anew.
    await janitor.gone
    const client = new pg.Client(world.backing.env.DATABASE_URL)
    await client.connect()
    try {
      await eventually(async () => {
        const { rows } = await client.query<{ service: string }>('select service from replicas order by 1')
        expect(rows.map(({ service }) => service)).to.deep.equal(['api', 'api'])
      }, 60_000)
      expect((await client.query('select from service_epochs')).rowCount).to.equal(1)
    } finally {
      await client.end()
    }
    janitor = await startService('janitor', world.backing.env)
  })

  it('brings files back that were removed while it loaded', async () => {
    const [row] = (await world.ada.messages('general')).filter(({ filename }) => filename)
    const path = join(fileURLToPath(world.backing.env.FILES_URL), row!.filename!)
    const done = await restoreBackup(await openBackup(backup), {
      databaseUrl: world.backing.adminDatabaseUrl,
      filesUrl: world.backing.env.FILES_URL,
      replace: true,
      whileAway: async () => rmSync(path),
    })
    kept.push(done.kept!)
    expect(done.files).to.deep.equal({ copied: 1, there: 1 })
    await eventually(async () => {
      const answer = await world.ada.fetch(`/files/${row!.filename}`)
      expect(await answer.text()).to.equal('Paint the door green.')
    })
  })

  it('gives connections back that a killed restore had refused', async () => {
    const name = new URL(world.backing.env.DATABASE_URL).pathname.slice(1)
    const client = new pg.Client(withDatabase(world.backing.adminDatabaseUrl, 'postgres'))
    await client.connect()
    await client.query(`alter database "${name}" allow_connections false`)
    await client.end()
    const run = await runCommand(['restore', backup, '--json'])
    expect(run.output).to.include('say --replace')
    await eventually(async () => expect((await world.ada.fetch('/version')).status).to.equal(200))
  })
})
