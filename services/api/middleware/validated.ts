import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'

/**
 * Sends a list whose length grows with the office, with an ETag; 304 if it matches. JSON stays `no-store`, so the
 * client keeps list and ETag itself, in memory.
 */
export function sendValidated(req: Request, res: Response, payload: unknown) {
  const body = JSON.stringify(payload)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  res.set('ETag', etag)
  if (namesTag(req.get('If-None-Match'), etag)) res.status(304).end()
  else res.type('json').send(body)
}

/** RFC 9110, 13.1.2: a list of tags, weak or not. `req.fresh` would treat a request's `no-cache` as a mismatch. */
export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}
