import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startFrontDoor, startService } from '#shared/test-kit/processes.ts'
import { Product } from '#shared/test-kit/product.ts'
import { testBacking } from '#shared/test-kit/stores.ts'
import { startPostgresPair } from './dev-stores/postgres-pair.ts'
import { stopAllChildren, temporaryFolder } from './processes/children.ts'

/**
 * An operator's day on this machine (`npm run drill`): each step under load, with the real programs. Prints a table of
 * times and losses; exits with 1 if a step failed or an acknowledged message is lost where none may be. .ci/run does so
 * where a container engine is present, since the same machine then has Compose and its tests.
 */

/** Their sends stay below the rate limit, whose 429 would count as a failure. */
const PEOPLE = ['ada', 'bob', 'cleo', 'dora', 'eve', 'finn']
const PAUSE: Milliseconds = 300
const STEP_WITHIN: Milliseconds = 300_000
/** Takes about two minutes, on a loaded machine five. */
const DRILL_WITHIN: Milliseconds = 900_000
const NEXT = '999.0.0'
const run = promisify(execFile)

interface Row {
  step: string
  /** From the operator's command, or the fault, until messages are accepted again. */
  seconds: string
  acknowledged: number
  /** Times a status, of a send that was not accepted. */
  failed: string
  /** The longest time in which nobody could send, seconds. */
  'longest pause': string
  lost: number | string
  note: string
}

const rows: Row[] = []
let failed = false

/** People who write without pause, and sign in again when they are signed out. */
class Load {
  readonly acknowledged: string[] = []
  /** By status, 0 without a response. */
  readonly failures: number[] = []
  longest: Milliseconds = 0
  #last = performance.now()
  #ends = false
  readonly #senders: Promise<void>[]

  constructor(people: readonly Person[]) {
    this.#senders = people.map((person, i) => this.#send(person, i))
  }

  async #send(person: Person, sender: number) {
    for (let i = 0; !this.#ends; i++) {
      const text = `drill ${sender} ${i} ${process.pid}`
      try {
        await person.send('general', text)
        this.acknowledged.push(text)
        this.#noteSuccess()
      } catch (err) {
        const status = Number(/^send: (\d+)/.exec((err as Error).message)?.[1] ?? 0)
        this.failures.push(status)
        if ([302, 401, 403].includes(status))
          await person.postForm('/login', { username: person.name, password: PASSWORD }).catch(() => {})
      }
      await pause(PAUSE)
    }
  }

  #noteSuccess() {
    const now = performance.now()
    this.longest = Math.max(this.longest, now - this.#last)
    this.#last = now
  }

  async waitForSends(count = 20) {
    const wanted = this.acknowledged.length + count
    for (const end = Date.now() + STEP_WITHIN; this.acknowledged.length < wanted; await pause(20))
      if (Date.now() > end) throw new Error('nobody can send')
  }

  async end() {
    this.#ends = true
    await Promise.all(this.#senders)
  }
}

interface Watched {
  load: Load
  /** The database that counts now. */
  databaseUrl(): string
}

/** Does a step under load. `mayLose`: what a restore of an earlier time takes with it. */
async function step(
  name: string,
  { load, databaseUrl }: Watched,
  work: () => Promise<string>,
  { mayLose = false } = {},
) {
  const before = { sent: load.acknowledged.length, failures: load.failures.length }
  load.longest = 0
  const began = performance.now()
  let note = ''
  try {
    note = await work()
    await load.waitForSends()
  } catch (err) {
    failed = true
    note = `FAILED: ${(err as Error).message.trim().split('\n').slice(0, 3).join(' ')}`
  }
  const took = performance.now() - began
  const lost = await missing(databaseUrl(), load.acknowledged).catch(() => ['unknown'])
  if (lost.length > 0 && !mayLose) failed = true
  rows.push({
    step: name,
    seconds: (took / 1000).toFixed(1),
    acknowledged: load.acknowledged.length - before.sent,
    failed: counted(load.failures.slice(before.failures)),
    'longest pause': (load.longest / 1000).toFixed(1),
    lost: lost.length,
    note,
  })
  console.log(`${name}: ${(took / 1000).toFixed(1)} s. ${note}`)
  // Later steps count their own losses only.
  for (const text of lost) load.acknowledged.splice(load.acknowledged.indexOf(text), 1)
}

const counted = (statuses: readonly number[]) =>
  [...new Set(statuses)]
    .sort()
    .map(status => `${statuses.filter(one => one === status).length} × ${status || 'cut'}`)
    .join(', ') || '-'

async function missing(url: string, texts: readonly string[]): Promise<string[]> {
  const wanted = [...texts]
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows: found } = await client.query<{ content: string }>(
      'select content from messages where content = any($1)',
      [wanted],
    )
    const there = new Set(found.map(({ content }) => content))
    return wanted.filter(text => !there.has(text))
  } finally {
    await client.end()
  }
}

/** `npm start` with stores of its own, and the operator's commands. */
async function oneMachine() {
  const folder = temporaryFolder('bothy-drill-')
  const data = join(folder.path, 'data')
  const ours = {
    DATABASE_URL: '',
    REDIS_URL: '',
    TEST_DATABASE_URL: '',
    TEST_REDIS_URL: '',
    BOTHY_DATA: data,
  }
  const product = new Product(data, ours)
  const admin = async (words: string[], root = ROOT) => {
    const env = { ...process.env, ...ours, BACKUP_DIR: '' }
    const { stdout } = await run(process.execPath, [join(root, 'infra/tools/admin.ts'), ...words], { env })
    return stdout.trim()
  }
  try {
    const began = performance.now()
    const url = await product.start()
    const people = await Promise.all(PEOPLE.map(name => new Person(name, url).signUp()))
    const load = new Load(people)
    await load.waitForSends(1)
    const installed = ((performance.now() - began) / 1000).toFixed(1)
    rows.push({
      step: 'install (npm start)',
      seconds: installed,
      acknowledged: 1,
      failed: '-',
      'longest pause': '-',
      lost: 0,
      note: 'from an empty folder to the first message of six people',
    })
    console.log(`install: ${installed} s`)
    const databaseUrl = readFileSync(join(data, 'database-url'), 'utf8').trim()
    const watched: Watched = { load, databaseUrl: () => databaseUrl }
    await step('load', watched, async () => {
      await load.waitForSends(300)
      return `${PEOPLE.length} people, three messages a second each`
    })
    let backup = ''
    await step('back up', watched, async () => {
      backup = (JSON.parse(await admin(['backup', '--json'])) as { path: string }).path
      return 'admin backup'
    })
    await step('prove', watched, async () => {
      await admin(['verify', backup, '--drill'])
      return 'admin verify --drill'
    })
    for (const name of [
      'services/api/main.ts',
      'services/events/main.ts',
      'redis-server',
      'postgres -D',
      'postgres"',
    ])
      await breakOne(name, product, watched)
    await step(
      'restore',
      watched,
      async () => {
        const told = JSON.parse(await admin(['restore', backup, '--replace', '--json'])) as {
          outage_seconds: number
        }
        return `to the time of the backup; database away ${told.outage_seconds.toFixed(1)} s; people sign in again`
      },
      { mayLose: true },
    )
    const next = nextRelease(join(folder.path, 'next'))
    await step('upgrade', watched, async () => {
      await admin(['upgrade', next, '--despite-faults'])
      return `to ${await versionAt(url)}, with a backup and a migration`
    })
    await step('roll back', watched, async () => {
      await admin(['upgrade', ROOT, '--despite-faults'], next)
      return `to ${await versionAt(url)}, on the newer schema`
    })
    await load.end()
  } finally {
    await product.stop()
    folder.remove()
  }
}

const pidOf = (name: string, product: Product) =>
  product.processes().find(({ command }) => command.includes(name))?.pid

/** Kills a process as a crash would; its supervisor starts it again. */
async function breakOne(name: string, product: Product, watched: Watched) {
  const pid = pidOf(name, product)
  if (pid === undefined) return
  const shown = /services\/(\w+)/.exec(name)?.[1] ?? name.split(/[ -]/, 1)[0]!
  await step(`break: kill -9 ${shown}`, watched, async () => {
    process.kill(pid, 'SIGKILL')
    return 'restarted by its supervisor'
  })
}

/** A copy of this release with a higher number and one migration on which this one runs. */
function nextRelease(copy: string): string {
  const left = /^(?:\.git|\.data|node_modules|docs)(?:\/|$)|\.log$/
  cpSync(ROOT, copy, { recursive: true, filter: path => !left.test(relative(ROOT, path)) })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const about = { type: 'module', version: NEXT, imports: { '#shared/*': './shared/*' } }
  writeFileSync(join(copy, 'package.json'), JSON.stringify(about))
  const migration = `-- works from ${VERSION}\ncreate table drill (id bigint primary key);`
  writeFileSync(join(copy, 'shared/stores/migrations/9001_drill.sql'), migration)
  return copy
}

const versionAt = async (url: string) =>
  ((await (await fetch(`${url}/version`)).json()) as { version: string }).version

/** Replicas behind our front door, and a standby of PostgreSQL. */
async function severalHosts() {
  const backing = await testBacking()
  const pair = await startPostgresPair()
  const env = { ...backing.env, DATABASE_URL: pair.url }
  const api: RunningService[] = []
  const events: RunningService[] = []
  try {
    api.push(await startService('api', env))
    events.push(await startService('events', env))
    const door = await startFrontDoor(api, events)
    let current = pair.primaryUrl
    const people = await Promise.all(PEOPLE.map(name => new Person(name, door.url).signUp()))
    const load = new Load(people)
    await load.waitForSends()
    const watched: Watched = { load, databaseUrl: () => current }
    await step('scale up', watched, async () => {
      api.push(await startService('api', env))
      await load.waitForSends(100)
      return 'a second api behind the front door'
    })
    await step('scale down', watched, async () => {
      const [first] = api.splice(0, 1)
      await first!.stop()
      await load.waitForSends(100)
      return 'the first api stops'
    })
    await step('fail over', watched, async () => {
      await pair.killPrimary()
      await pair.promote()
      current = pair.standbyUrl
      return 'the primary is killed, the standby promoted'
    })
    await load.end()
    await door.close()
  } finally {
    await Promise.all([...api, ...events].map(service => service.stop()))
    await pair.stop()
    await backing.drop()
  }
}

/** Prints the table, and appends it to the file named by TEST_REPORT, which .ci/run shows at its end. */
async function end(): Promise<never> {
  await stopAllChildren()
  console.table(rows)
  console.log('Not part of it: Compose and Kubernetes.')
  const outcome = failed ? 'FAILED' : 'nothing lost'
  const lines = rows.map(({ step, seconds, failed, lost, note }) =>
    [`drill: ${step}`, `${seconds} s`, `failed ${failed}`, `lost ${lost}`, note].join(', '),
  )
  const { TEST_REPORT } = process.env
  if (TEST_REPORT) appendFileSync(TEST_REPORT, [...lines, `drill: ${outcome}`, ''].join('\n'))
  process.exit(failed ? 1 : 0)
}

const deadline = setTimeout(() => {
  failed = true
  console.error(`The drill did not end within ${DRILL_WITHIN / 60_000} minutes.`)
  void end()
}, DRILL_WITHIN)
deadline.unref()

try {
  await oneMachine()
  await severalHosts()
} catch (err) {
  failed = true
  console.error(err)
}
await end()
