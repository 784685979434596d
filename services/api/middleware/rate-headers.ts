import type { Request, Response } from 'express'
import type { Standing } from '#shared/http/rate-limits.ts'
import { tokenIn } from '#shared/http/tokens.ts'

/**
 * Tells a request with a token how the limits stand for which it counted (interface 19.1). A limit that it counts for twice is
 * told as it stands last.
 */
export function tellLimits(req: Request, res: Response, standings: readonly Standing[]): void {
  if (standings.length === 0 || !tokenIn(req)) return
  const told: Map<string, Standing> = res.locals['limits'] ?? new Map()
  for (const standing of standings) told.set(standing.name, standing)
  res.locals['limits'] = told
  res.set(rateHeaders([...told.values()]))
}

/** Structured fields of draft-ietf-httpapi-ratelimit-headers; `t` in whole seconds, rounded up. */
export const rateHeaders = (standings: readonly Standing[]): Record<string, string> => ({
  'RateLimit-Policy': standings
    .map(({ name, count, seconds }) => `"${name}";q=${count};w=${seconds}`)
    .join(', '),
  RateLimit: standings
    .map(({ name, remaining, resets }) => `"${name}";r=${remaining};t=${Math.ceil(resets / 1_000)}`)
    .join(', '),
})
