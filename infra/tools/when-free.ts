import { setTimeout as pause } from 'node:timers/promises'
import { BackupRuns } from '#shared/backup/make-backup.ts'
import type { Milliseconds } from '#shared/domain/units.ts'

/** A nightly backup works a tenth of the time only: 10 GB take about as long. */
const LONGEST_WAIT: Milliseconds = 15 * 60_000
const ASK_EVERY: Milliseconds = 1_000

/** Runs `work` once no other process makes or proves a backup of the database. Throws BackupRuns after 15 minutes. */
export async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + LONGEST_WAIT
  for (let isTold = false; ; isTold = true) {
    try {
      return await work()
    } catch (err) {
      if (!(err instanceof BackupRuns) || performance.now() > until) throw err
    }
    // Standard output is for the outcome.
    if (!isTold)
      console.error('Another backup is being made or proven: waiting for its end, at most 15 minutes …')
    await pause(ASK_EVERY)
  }
}
