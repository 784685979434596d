import type { RequestHandler } from 'express'
import type { Scope } from '#shared/domain/tokens.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Endpoint, NeededScope } from './endpoint.ts'

/**
 * By default reading needs `read`, a change `write`, administration `admin`. Pages of the browser and acts that ask for the
 * password again take no token.
 */
export function scopeOf({ scope, isConfirmed, who, answers, method }: Endpoint): NeededScope {
  if (scope !== undefined) return scope
  if (
    isConfirmed ||
    Object.values(answers).some(({ type, name }) => type === 'text/html' || isRedirect(name))
  )
    return 'none'
  if (who === 'admin' || who === 'owner') return 'admin'
  return method === 'get' ? 'read' : 'write'
}

/** True if it needs neither session nor token. With a scope, an endpoint of anybody takes tokens alone. */
export const isOpen = ({ who, scope = 'none' }: Endpoint): boolean => who === 'anybody' && scope === 'none'

const isRedirect = (name: string | undefined) => name === 'to Location'

/** Refuses tokens without the scope of the endpoint. */
export function scoped(endpoint: Endpoint): RequestHandler {
  const needed = scopeOf(endpoint)
  return (req, _res, next) => {
    const token = tokenIn(req)
    if (token && needed === 'none') throw noToken()
    if (token && !token.scopes.includes(needed as Scope)) throw lacks(needed as Scope)
    next()
  }
}

/** Also for bodies that need the password: see confirmed.ts. */
export const noToken = () => errors.coded(403, 'forbidden', 'This takes no token: sign in for it.')

const ACTS: Record<Scope, string> = {
  read: 'read',
  write: 'write',
  channels: 'change channels',
  admin: 'administer',
}

const lacks = (scope: Scope) =>
  errors.coded(403, 'forbidden', `This token may not ${ACTS[scope]} (scope ${scope}).`)
