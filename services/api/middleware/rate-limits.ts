import { type Request, type RequestHandler, Router } from 'express'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import { Refusal } from '#shared/kernel/refusals.ts'
import type { RateName } from '#shared/kernel/settings.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { errorsAsJson } from './refusals.ts'

export interface LimitedRoute {
  name: RateName
  method: 'get' | 'post'
  path: string
  /** `person in session`: of one call or share, named by the path's id. */
  per: 'person' | 'person in session'
  /** How many tokens a request takes; one if it does not say. */
  tokens?: (req: Request) => number
  /** Beyond the limit it is answered as if it had been done (security 11). */
  isSilent?: true
}

/**
 * What one person may do how often (decisions, Rate limits; security 11). Counted before anything else is done, so that
 * what is refused later counts too. Login, sign-up and reset count by address, and only where it matters: accounts/routes.ts.
 */
export const LIMITED_ROUTES: readonly LimitedRoute[] = [
  { name: 'password', method: 'post', path: '/change-password', per: 'person' },
  { name: 'password', method: 'post', path: '/delete_account', per: 'person' },
  { name: 'send', method: 'post', path: '/send/:channel', per: 'person' },
  { name: 'change', method: 'post', path: '/edit/:id', per: 'person' },
  { name: 'change', method: 'post', path: '/delete/:id', per: 'person' },
  { name: 'change', method: 'post', path: '/react/:id', per: 'person' },
  { name: 'search', method: 'get', path: '/search_messages', per: 'person' },
  { name: 'link_preview', method: 'get', path: '/link_preview', per: 'person' },
  { name: 'avatar', method: 'post', path: '/avatar', per: 'person' },
  { name: 'create_channel', method: 'post', path: '/private_channels/create', per: 'person' },
  { name: 'add_member', method: 'post', path: '/private_channels/:id/add_member', per: 'person' },
  { name: 'call', method: 'post', path: '/calls/initiate', per: 'person' },
  { name: 'call', method: 'post', path: '/calls/:id/join', per: 'person' },
  { name: 'call', method: 'post', path: '/screenshare/start', per: 'person' },
  { name: 'signal', method: 'post', path: '/calls/:id/signal', per: 'person in session' },
  { name: 'signal', method: 'post', path: '/screenshare/:id/signal', per: 'person in session' },
  { name: 'media', method: 'post', path: '/calls/:id/media', per: 'person in session', tokens: kibIn },
  { name: 'media', method: 'post', path: '/screenshare/:id/media', per: 'person in session', tokens: kibIn },
  { name: 'typing', method: 'post', path: '/typing/:channel', per: 'person', isSilent: true },
  { name: 'presence', method: 'post', path: '/presence', per: 'person', isSilent: true },
  { name: 'presence', method: 'post', path: '/presence/override', per: 'person', isSilent: true },
]

/** These refuse in JSON, whatever they refuse (decisions, Errors). */
const IN_JSON = ['/change-password', '/delete_account', '/calls', '/running_calls', '/screenshare']

export function limitRates(stores: Stores): Router {
  const takeToken = rateLimits(stores)
  const routes = Router()
  routes.use(IN_JSON, errorsAsJson)

  for (const { name, method, path, per, tokens = () => 1, isSilent } of LIMITED_ROUTES) {
    const limit: RequestHandler = async (req, res, next) => {
      const viewer = viewerIn(req)
      // Without a session nothing is done that could be counted.
      if (viewer === undefined) return next()
      try {
        await takeToken(name, per === 'person' ? viewer : inSession(req, viewer), tokens(req))
      } catch (err) {
        if (!isSilent || !(err instanceof Refusal)) throw err
        return void res.status(204).end()
      }
      next()
    }
    routes[method](path, limit)
  }
  return routes
}

/** An id means the same in any case; what is none is nobody's session, and need not make keys of any length. */
function inSession(req: Request, viewer: Username) {
  return `${viewer}:${String(req.params['id']).toLowerCase().slice(0, LENGTH_OF_ID)}`
}

const LENGTH_OF_ID = 36
/** A chunk of unknown length counts as the largest (interface 4.10, decisions, Media relay). */
const MOST_KIB = 1024

function kibIn(req: Request) {
  const bytes = Number(req.headers['content-length'] ?? Number.NaN)
  return Number.isFinite(bytes) ? Math.min(Math.max(Math.ceil(bytes / 1024), 1), MOST_KIB) : MOST_KIB
}
