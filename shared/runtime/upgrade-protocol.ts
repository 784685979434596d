import { join } from 'node:path'

/** A version of bothy on this machine: the folder that has its sources. */
export interface Release {
  root: string
  commit: string | undefined
}

/** Files of the data folder by which `npm run admin -- upgrade` and the running `npm start` talk (infra/run/upgrade-steps.ts). */
export const upgradeFiles = (data: string) => ({
  /** A step that the command requests by SIGUSR2. */
  wanted: join(data, 'upgrade-step'),
  done: join(data, 'upgrade-step-done'),
  /** The release that runs. `npm start` of 0.2.0, which knows no steps, writes another file. */
  release: join(data, 'running-release'),
})

/**
 * `stop`: the front door answers 503, and the processes end. `start`: those of a release start; done when they are ready.
 * `open`: the front door leads to them.
 */
export type Step = { stop: true } | { start: Release } | { open: true }

export interface StepWanted {
  id: string
  /** The program that upgrades. */
  pid: number
  step: Step
}

export interface StepDone {
  id: string
  fault: string | null
  /** Processes for the smoke test, which comes before the front door opens. */
  places: { api: string; events: string } | null
}
