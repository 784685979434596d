import { readFileSync, rmSync } from 'node:fs'
import type { Milliseconds } from '#shared/domain/units.ts'
import { isAlive } from '#shared/runtime/is-alive.ts'
import {
  type Release,
  type Step,
  type StepDone,
  type StepWanted,
  upgradeFiles,
} from '#shared/runtime/upgrade-protocol.ts'
import { writeWhole } from '#shared/runtime/whole-file.ts'
import { DATA } from '../processes/data-folder.ts'
import type { Fleet } from './fleet.ts'

const FILES = upgradeFiles(DATA)
const CHECK_EVERY: Milliseconds = 1_000

/** The part of an upgrade that `npm start` does. If the program that upgrades ends halfway, the former release starts again. */
export class UpgradeSteps {
  readonly #fleet: Fleet
  readonly #say: (line: string) => void
  #release: Release
  /** Becomes #release when the front door opens. */
  #starting: Release | undefined
  /** While the processes are away. */
  #upgrade: { pid: number; check: NodeJS.Timeout } | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(fleet: Fleet, release: Release, say: (line: string) => void) {
    this.#fleet = fleet
    this.#say = say
    this.#release = release
    noteRelease(release)
  }

  get isAway(): boolean {
    return this.#upgrade !== undefined
  }

  /** Never rejects. */
  take(): Promise<void> {
    this.#last = this.#last.then(() => this.#takeWanted())
    return this.#last
  }

  async #takeWanted() {
    let wanted: StepWanted
    try {
      wanted = JSON.parse(readFileSync(FILES.wanted, 'utf8'))
    } catch (err) {
      return this.#say(`Nothing was done: ${FILES.wanted} cannot be read (${(err as Error).message}).`)
    }
    const { id, pid, step } = wanted
    const done: StepDone = { id, fault: null, places: null }
    try {
      await this.#do(step, pid)
      const urlOf = (name: string) => this.#fleet.services.find(one => one.name === name)?.url ?? ''
      if ('start' in step) done.places = { api: urlOf('api'), events: urlOf('events') }
    } catch (err) {
      done.fault = (err as Error).message
    }
    try {
      writeWhole(FILES.done, JSON.stringify(done))
    } catch (err) {
      this.#say(`The upgrade cannot be told the outcome: ${(err as Error).message}`)
    }
  }

  async #do(step: Step, pid: number) {
    if (this.#upgrade && this.#upgrade.pid !== pid)
      throw new Error(`Another upgrade is at work (process ${this.#upgrade.pid}).`)
    if (!this.#upgrade && !('stop' in step)) throw new Error('The upgrade broke off: a stop comes first.')
    if ('stop' in step) {
      this.#upgrade ??= { pid, check: setInterval(() => void this.#check(pid), CHECK_EVERY) }
      await this.#fleet.stop()
      this.#say('The processes are stopped for an upgrade.')
    } else if ('start' in step) {
      await this.#fleet.stop()
      this.#starting = step.start
      this.#fleet.start(step.start)
      await this.#fleet.becomesReady()
    } else {
      this.#release = this.#starting ?? this.#release
      this.#open()
    }
  }

  #open() {
    clearInterval(this.#upgrade?.check)
    this.#upgrade = undefined
    this.#starting = undefined
    noteRelease(this.#release)
    this.#say(`The processes are those of ${this.#release.root} now.`)
  }

  #check(pid: number) {
    if (isAlive(pid)) return
    clearInterval(this.#upgrade?.check)
    this.#last = this.#last.then(() => this.#breakOff(pid)).catch(err => this.#say((err as Error).message))
  }

  async #breakOff(pid: number) {
    if (this.#upgrade?.pid !== pid) return
    this.#say('The upgrade broke off: the former release starts again.')
    await this.#fleet.stop()
    this.#fleet.start(this.#release)
    this.#open()
  }
}

/** Without it, as on a full disk, the next upgrade refuses until `npm start` was started again. */
function noteRelease(release: Release) {
  try {
    writeWhole(FILES.release, JSON.stringify(release))
  } catch {
    rmSync(FILES.release, { force: true })
  }
}
