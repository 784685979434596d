import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { claimDeletion, type Deletion, postponeDeletion, settleDeletion } from './deletions.ts'
import {
  forgetInLists,
  leaveChannels,
  removeMessages,
  renameMessages,
  takeReactionsBack,
} from './erase-messages.ts'
import { forgetMentions, forgetRecords, forgetSystemLines } from './erase-traces.ts'
import { Pace } from './pace.ts'

/** Length of a run, so that deletions take turns and a janitor stops soon. */
const SLICE: Milliseconds = 2_000

/** Rewrites the next rows of a deleted account in one transaction; returns their number, 0 when none are left. */
type Step = (stores: Stores, deletion: Deletion, pace: Pace) => Promise<number>

/** Ordered by visibility: lines in channels first. */
const STEPS: Record<Deletion['kind'], Step[]> = {
  soft: [leaveChannels, renameMessages, takeReactionsBack, forgetMentions, forgetInLists, forgetRecords],
  hard: [
    leaveChannels,
    removeMessages,
    takeReactionsBack,
    forgetMentions,
    forgetInLists,
    forgetRecords,
    forgetSystemLines,
  ],
}

/**
 * Rewrites the rows of deleted accounts, which reads hide already. Each step finds the remaining rows by an index, so a
 * run continues where the last one ended or crashed. A transaction locks one channel and changes at most 200 rows.
 */
export async function finishDeletions(stores: Stores): Promise<number> {
  const until = performance.now() + SLICE
  let changed = 0
  while (performance.now() < until) {
    const deletion = await claimDeletion(stores.db)
    if (!deletion) break
    try {
      changed += await work(stores, deletion, until)
    } catch (err) {
      await postponeDeletion(stores.db, deletion)
      throw err
    }
  }
  return changed
}

async function work(stores: Stores, deletion: Deletion, until: Milliseconds): Promise<number> {
  let changed = 0
  for (const step of STEPS[deletion.kind]) {
    const pace = new Pace()
    for (let count = 1; count > 0; changed += count) {
      if (performance.now() >= until) {
        await postponeDeletion(stores.db, deletion)
        return changed
      }
      count = await step(stores, deletion, pace)
    }
  }
  await settleDeletion(stores.db, deletion)
  return changed
}
