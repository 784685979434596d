import type { Response } from 'express'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Milliseconds } from '#shared/domain/units.ts'

/** A client that reads nothing for this long is cut off, because its response occupies memory. */
const TAKEN_WITHIN: Milliseconds = 20_000

/** Writes pages as one JSON array, row by row, and waits for slow clients (backpressure). */
export async function streamArray(res: Response, pages: AsyncIterable<MessagePayload[]>): Promise<void> {
  res.type('application/json')
  let separator = '['
  for await (const page of pages) {
    for (const row of page) {
      if (!res.write(separator + JSON.stringify(row))) await taken(res, 'drain')
      if (res.destroyed) return
      separator = ','
    }
  }
  res.end(separator === '[' ? '[]' : ']')
  if (!res.writableFinished) await taken(res, 'finish')
}

/** Waits until the client has taken what was written. */
async function taken(res: Response, event: 'drain' | 'finish'): Promise<void> {
  if (res.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => res.destroy(), TAKEN_WITHIN)
  res.once(event, resolve).once('close', resolve)
  await promise
  clearTimeout(timer)
  res.off(event, resolve).off('close', resolve)
}
