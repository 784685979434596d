import { setTimeout as pause } from 'node:timers/promises'
import type { RequestHandler, Response } from 'express'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Interface 5.4: time from a request to its failure response, whatever the cause. */
const FAILURE_DELAY: Milliseconds = 3_000

/** Waits until a failed attempt has taken its time; requires `noteArrival`. */
export const failureDelay = (res: Response) =>
  pause(Math.max(0, res.locals['arrived'] + FAILURE_DELAY - performance.now()))

export const noteArrival: RequestHandler = (_req, res, next) => {
  res.locals['arrived'] = performance.now()
  next()
}
