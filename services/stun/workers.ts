import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'

/** Delay before a restart, so that a worker that always crashes does not keep the machine busy. */
const PAUSE: Milliseconds = 1_000

/**
 * Worker processes on shared sockets: node:cluster opens each socket once and passes it to all workers, and the system
 * gives each packet to a free one. A crashed worker is replaced. (Windows shares no UDP sockets: there the second
 * worker reports that the port is taken.)
 */
export class Workers {
  readonly #count: number
  #stopping = false

  constructor(count: number) {
    this.#count = count
  }

  start() {
    for (let i = 0; i < this.#count; i++) this.#fork()
  }

  async stop() {
    this.#stopping = true
    const workers = Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
    await Promise.all(workers.map(ended))
  }

  #fork() {
    if (this.#stopping) return
    const worker = cluster.fork()
    log.info({ pid: worker.process.pid }, 'worker started')
    worker.once('exit', (code, signal) => {
      if (this.#stopping) return
      log.warn({ code, signal }, 'worker ended; starting another')
      setTimeout(() => this.#fork(), PAUSE)
    })
  }
}

async function ended(worker: Worker) {
  if (worker.isDead()) return
  const gone = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await gone
}

/** Ends a worker when the process that started it ends, however it does. */
export function endWithPrimary() {
  cluster.worker?.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
