import { setTimeout as pause } from 'node:timers/promises'
import PgBoss from 'pg-boss'
import { Gauge } from 'prom-client'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { connectionTo } from '#shared/stores/postgres-servers.ts'
import { withPreparingClient } from '#shared/stores/preparing-client.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Task } from './tasks.ts'

/** Poll interval of each queue: a task of every minute may start some seconds late. */
const POLL: Seconds = 5
/** A process has ten seconds to stop; the last task gets most of them. */
const STOP_WITHIN: Milliseconds = 7_000
/** Enough for a nightly task on a large installation; afterwards another janitor may start it. */
const LONGEST_TASK: Seconds = 3600

const AGAIN: Milliseconds = 100

/** Options of pg-boss's own pool; `query_timeout` drops connections that stay silent for a minute. */
const CONNECTIONS = {
  max: 3,
  application_name: 'bothy-janitor',
  keepAlive: true,
  connectionTimeoutMillis: 5_000,
  query_timeout: 60_000,
}

const lastSuccess = new Gauge({
  name: 'bothy_task_last_success_timestamp_seconds',
  help: 'End of the last run without an error in this janitor, Unix time.',
  labelNames: ['task'],
})

/**
 * Starts the tasks. pg-boss keeps cron lines and past runs in its own schema (`pgboss`): each slot is one job, taken by
 * one janitor. No other file knows pg-boss.
 */
export class Schedule {
  readonly #stores: Stores
  readonly #tasks: Task[]
  readonly #databaseUrl: string
  readonly #boss: PgBoss
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Map<Task, Promise<unknown>>()

  /** `databaseUrl`: not through a connection pooler. */
  constructor(stores: Stores, tasks: Task[], databaseUrl: string) {
    this.#stores = stores
    this.#tasks = tasks
    this.#databaseUrl = databaseUrl
    this.#boss = new PgBoss({ ...CONNECTIONS, ...connectionTo(databaseUrl) })
    this.#boss.on('error', err => noteStoreFailure(err) || log.warn({ err }, 'schedule not reachable'))
  }

  readonly name = 'schedule'

  async start() {
    await oneAtATime(this.#databaseUrl, () => this.#prepare())
    for (const task of this.#tasks) {
      if (typeof task.every === 'number') this.#repeat(task, task.every)
    }
  }

  async stop() {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all([this.#boss.stop({ graceful: true, timeout: STOP_WITHIN }), ...this.#running.values()])
  }

  async #prepare() {
    await this.#boss.start()
    const queued = this.#tasks.filter(task => typeof task.every === 'string')
    for (const task of queued) await this.#queue(task, task.every as string)
    await this.#forgetAllBut(queued)
  }

  async #queue(task: Task, cron: string) {
    // No retries: the next slot does the same work.
    await this.#boss.createQueue(task.name, {
      name: task.name,
      policy: 'singleton',
      retryLimit: 0,
      expireInSeconds: LONGEST_TASK,
    })
    await this.#boss.schedule(task.name, cron)
    await this.#boss.work(task.name, { pollingIntervalSeconds: POLL }, () => this.#run(task))
  }

  /** Removes schedules of earlier versions. */
  async #forgetAllBut(queued: Task[]) {
    for (const { name } of await this.#boss.getSchedules()) {
      if (!queued.some(task => task.name === name)) await this.#boss.unschedule(name)
    }
  }

  /** Skips a tick while the previous run is still going. */
  #repeat(task: Task, every: Seconds) {
    const tick = () => {
      if (this.#running.has(task)) return
      const run = this.#run(task)
        // Logged already; the next tick tries again.
        .catch(() => {})
        .finally(() => this.#running.delete(task))
      this.#running.set(task, run)
    }
    this.#timers.push(setInterval(tick, every * 1000))
  }

  async #run(task: Task) {
    try {
      const changed = await task.run(this.#stores)
      lastSuccess.labels(task.name).setToCurrentTime()
      if (changed > 0) log.info({ task: task.name, changed }, 'task done')
    } catch (err) {
      if (!noteStoreFailure(err, { task: task.name })) log.warn({ err, task: task.name }, 'task failed')
      throw err
    }
  }
}

/**
 * Two janitors that start at once create the same queues, which are tables: without the lock PostgreSQL may detect a
 * deadlock and end one of them. Closing the connection releases the lock.
 */
async function oneAtATime(databaseUrl: string, work: () => Promise<void>) {
  await withPreparingClient(databaseUrl, async client => {
    // Not pg_advisory_lock(): it may wait longer than the time limit of a statement.
    while (!(await isOurs(client))) await pause(AGAIN)
    await work()
  })
}

async function isOurs(client: Db): Promise<boolean> {
  const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [
    ADVISORY_LOCKS.queues,
  ])
  return rows[0]!.ours
}
