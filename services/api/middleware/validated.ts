import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'
import { namesTag } from '../files/serve-file.ts'

/**
 * Sends a list that is as long as the office is large, with a validator: 304 without a body to a client that names it. The
 * `no-store` of all JSON stays, so a client keeps the list and its validator itself, in memory.
 */
export function sendValidated(req: Request, res: Response, payload: unknown) {
  const body = JSON.stringify(payload)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  res.set('ETag', etag)
  if (namesTag(req.get('If-None-Match'), etag)) res.status(304).end()
  else res.type('json').send(body)
}
