import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Release } from './release.ts'
import type { Service } from './supervisor.ts'

/** Makes the process of a service from a release. */
export type Starter = (name: string, release: Release) => Service

/** Time limit for a new process to be ready. */
const READY_WITHIN: Milliseconds = 90_000
const LOOK_AGAIN: Milliseconds = 100
/** Only one of these can be at work: the former ends before its successor starts. */
const ALONE = new Set(['janitor', 'stun'])

/**
 * The processes of `npm start`. `roll` replaces them by those of another release, one after the other: a new one is ready
 * before its predecessor stops, so that no request fails. If one does not become ready, the former release is brought
 * back in the same way.
 */
export class Fleet {
  #services: Service[] = []
  /** Not ready yet, or stopping. */
  readonly #besides = new Set<Service>()
  readonly #start: Starter
  #release: Release
  #rolling = false
  #stopping = false

  constructor(names: readonly string[], release: Release, start: Starter) {
    this.#start = start
    this.#release = release
    this.#services = names.map(name => start(name, release))
  }

  get services(): readonly Service[] {
    return this.#services
  }

  /** Rejects with the reason if the former release runs again. */
  async roll(release: Release): Promise<void> {
    if (this.#rolling) throw new Error('Processes are being replaced already.')
    this.#rolling = true
    const former = this.#release
    try {
      await this.#replaceAll(release)
      this.#release = release
    } catch (err) {
      if (!this.#stopping) await this.#replaceAll(former, release)
      throw err
    } finally {
      this.#rolling = false
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all([...this.#services, ...this.#besides].map(service => service.stop()))
  }

  /** `only`: processes of this release. */
  async #replaceAll(release: Release, only?: Release) {
    for (const [i, service] of this.#services.entries())
      if (only === undefined || service.release === only) await this.#replace(i, service, release)
  }

  async #replace(i: number, former: Service, release: Release) {
    if (this.#stopping) throw new Error('stopping')
    const isAlone = ALONE.has(former.name)
    if (isAlone) await former.stop()
    const fresh = this.#start(former.name, release)
    if (isAlone) this.#services[i] = fresh
    this.#besides.add(fresh)
    try {
      await this.#ready(fresh)
      this.#services[i] = fresh
      this.#besides.add(former)
      if (!isAlone) await former.stop()
      this.#besides.delete(former)
    } catch (err) {
      if (!isAlone) await fresh.stop()
      throw err
    } finally {
      this.#besides.delete(fresh)
    }
  }

  async #ready(service: Service) {
    const giveUpAt = performance.now() + READY_WITHIN
    while (!(await service.isReady())) {
      if (this.#stopping) throw new Error('stopping')
      if (service.ending !== undefined) throw notReady(service, service.ending)
      if (performance.now() > giveUpAt)
        throw notReady(service, `was not ready after ${READY_WITHIN / 1000} s`)
      await pause(LOOK_AGAIN)
    }
  }
}

function notReady({ name, alarm, logPath }: Service, what: string): Error {
  const cause = alarm === undefined ? 'Its log says no reason' : `Cause: ${alarm.replace(/\.$/, '')}`
  return new Error(`The new ${name} ${what}. ${cause}. Its log: ${logPath}.`)
}
