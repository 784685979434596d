import { type RequestHandler, Router } from 'express'
import { viewerIn } from '#shared/http/sessions.ts'
import { adminsOnly, ownersOnly } from './administration.ts'
import { confirmed } from './confirmed.ts'
import type { Endpoint, Services } from './endpoint.ts'
import { errorsAsJson, errorsWithCode, errorsWithId } from './errors.ts'
import { withinChannels } from './limited-token.ts'
import { pathPattern } from './path-pattern.ts'
import { limitsOf } from './rate-limits.ts'
import { scoped } from './scopes.ts'
import { signedIn } from './signed-in.ts'
import { errorsAsSlack, tokenNeeded } from './slack-form.ts'

/** The routes of endpoints, in their order. */
export function mount(endpoints: readonly Endpoint[], services: Services): Router {
  const routes = Router()
  for (const endpoint of endpoints) routes[endpoint.method](endpoint.path, ...stepsOf(endpoint, services))
  return routes
}

/** From the cheapest to the dearest: a request that is refused reads no body. */
function stepsOf(endpoint: Endpoint, services: Services): RequestHandler[] {
  const { who, isConfirmed, body, first = [], prepare } = endpoint
  const { stores } = services
  const steps: RequestHandler[] = [formOf(endpoint)]
  if (endpoint.errors === 'slack') steps.push(tokenNeeded)
  // The scope first: a token that may only read takes nothing from the limits of its person.
  steps.push(scoped(endpoint), ...limitsOf(endpoint, stores))
  if (who !== 'anybody') steps.push(signedIn)
  steps.push(withinChannels(endpoint, stores))
  if (who === 'admin') steps.push(adminsOnly(stores))
  if (who === 'owner') steps.push(ownersOnly(stores))
  if (isConfirmed) steps.push(confirmed(stores))
  steps.push(...first)
  if (prepare) {
    steps.push(async (req, res, next) => {
      res.locals['ready'] = await prepare({
        ...services,
        req,
        res,
        viewer: viewerIn(req)!,
        params: req.params,
      })
      next()
    })
  }
  if (body) steps.push(...body.parsers(stores))
  return [...steps, endpoint.handler(services)]
}

function formOf({ errors }: Endpoint): RequestHandler {
  if (errors === undefined) return errorsWithCode
  if (errors === 'named') return errorsWithId
  if (errors === 'slack') return errorsAsSlack
  return errors === 'json' ? errorsAsJson : (_req, _res, next) => next()
}

/**
 * Sets the form of errors for what fails before a route: too many requests, an unknown address below the first segment
 * of endpoints that have one form, a path whose escapes are no UTF-8.
 */
export function formsOfErrors(endpoints: readonly Endpoint[]): Router {
  const routes = Router()
  for (const segment of new Set(endpoints.map(firstOf))) {
    const ofSegment = endpoints.filter(endpoint => firstOf(endpoint) === segment)
    const isOneForm = new Set(ofSegment.map(({ errors }) => errors)).size === 1
    if (isOneForm) routes.use(segment, formOf(ofSegment[0]!))
    else for (const endpoint of ofSegment) routes.use(below(endpoint), formOf(endpoint))
  }
  return routes
}

const below = ({ path }: Endpoint) => RegExp(`^${pathPattern(path)}(?=/|$)`, 'i')

const firstOf = ({ path }: Endpoint) => path.split('/', 2).join('/')
