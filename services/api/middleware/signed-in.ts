import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import type { Username } from '#shared/domain/units.ts'
import { viewerIn } from '#shared/http/sessions.ts'

/** Routes mounted after this have a viewer; without a session: redirect to /login (interface 5.2). */
export const signedIn: RequestHandler = (req, res, next) => {
  if (viewerIn(req) === undefined) return res.redirect(302, '/login')
  next()
}

/** The viewer of a request that passed `signedIn`. */
export function viewerOf(req: IncomingMessage): Username {
  const viewer = viewerIn(req)
  if (viewer === undefined) throw new Error('route is not behind signedIn')
  return viewer
}
