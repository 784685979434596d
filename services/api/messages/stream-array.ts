import type { Response } from 'express'
import type { Milliseconds } from '#shared/domain/units.ts'

/** A response occupies memory until the client has taken it, so a client that exceeds a limit is cut off. */
interface ReaderLimits {
  /** Longest time in which the client takes nothing. */
  stalled: Milliseconds
  /** Longest time from the first row to the last. */
  total: Milliseconds
}

/** Pages and results of a search: a few hundred KB, at most 8 MB. */
const PAGE_LIMITS: ReaderLimits = { stalled: 20_000, total: 120_000 }
/** Whole histories, of any size. */
export const HISTORY_LIMITS: ReaderLimits = { stalled: 20_000, total: 600_000 }

/**
 * Writes pages as one JSON array, row by row, and waits for slow clients (backpressure). Returns when the response is
 * written or its connection closed.
 */
export async function streamArray(
  res: Response,
  pages: AsyncIterable<unknown[]> | Iterable<unknown[]>,
  { stalled, total }: ReaderLimits = PAGE_LIMITS,
): Promise<void> {
  const timer = setTimeout(() => res.destroy(), total)
  try {
    res.type('application/json')
    let separator = '['
    for await (const page of pages) {
      for (const row of page) {
        if (!res.write(separator + JSON.stringify(row))) await taken(res, 'drain', stalled)
        if (res.destroyed) return
        separator = ','
      }
    }
    res.end(separator === '[' ? '[]' : ']')
    if (!res.writableFinished) await taken(res, 'finish', stalled)
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until the client has taken what was written. */
async function taken(res: Response, event: 'drain' | 'finish', stalled: Milliseconds): Promise<void> {
  if (res.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => res.destroy(), stalled)
  res.once(event, resolve).once('close', resolve)
  await promise
  clearTimeout(timer)
  res.off(event, resolve).off('close', resolve)
}
