import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Username } from '#shared/rules/units.ts'

/** Everything mounted after this has a viewer; without one the request goes to /login (interface 5.2). */
export const signedIn: RequestHandler = (req, res, next) => {
  if (viewerIn(req) === undefined) return res.redirect(302, '/login')
  next()
}

/** The viewer of a request that came through `signedIn`. */
export function viewerOf(req: IncomingMessage): Username {
  const viewer = viewerIn(req)
  if (viewer === undefined) throw new Error('route is not behind signedIn')
  return viewer
}
