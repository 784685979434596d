import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Release } from '#shared/runtime/upgrade-protocol.ts'
import type { Service } from './supervisor.ts'

/** Time limit for the processes of another release to be ready. */
const READY_WITHIN: Milliseconds = 90_000
const POLL_EVERY: Milliseconds = 100

/** The processes of `npm start`, all of one release. */
export class Fleet {
  #services: readonly Service[] = []
  #hasEnded = false
  readonly #starting: (release: Release) => Service[]

  constructor(starting: (release: Release) => Service[]) {
    this.#starting = starting
  }

  get services(): readonly Service[] {
    return this.#services
  }

  start(release: Release): void {
    if (this.#hasEnded) throw new Error('npm start is being stopped.')
    this.#services = this.#starting(release)
  }

  async stop(): Promise<void> {
    const services = this.#services
    this.#services = []
    await Promise.all(services.map(service => service.stop()))
  }

  /** Stops for good: an upgrade at work starts no more processes. */
  end(): Promise<void> {
    this.#hasEnded = true
    return this.stop()
  }

  /** Rejects with the reason of the first process that ends, or is not ready in time. */
  async becomesReady(): Promise<void> {
    const services = this.#services
    const giveUpAt = performance.now() + READY_WITHIN
    for (const service of services)
      while (!(await service.isReady())) {
        if (services !== this.#services) throw new Error('The processes were stopped.')
        const ended = services.find(({ ending }) => ending !== undefined)
        if (ended) throw notReady(ended, ended.ending!)
        if (performance.now() > giveUpAt)
          throw notReady(service, `was not ready after ${READY_WITHIN / 1_000} s`)
        await pause(POLL_EVERY)
      }
  }
}

function notReady({ name, alarm, logPath }: Service, outcome: string): Error {
  const cause = alarm === undefined ? 'Its log says no reason' : `Cause: ${alarm.replace(/\.$/, '')}`
  return new Error(`The new ${name} ${outcome}. ${cause}. Its log: ${logPath}.`)
}
