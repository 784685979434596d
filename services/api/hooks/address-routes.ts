import type { Request, Response } from 'express'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { endpoint, ok } from '../middleware/endpoint.ts'
import { type Address, hookAt, receive } from './receive.ts'
import { refusalFor, sendRefusal } from './refusals.ts'

/**
 * Addresses of hooks, whose secret part is the only key: no session, cookie, token or form token counts (interface 19.4).
 * Mounted before the sessions.
 */
export const hookAddressEndpoints = [
  endpoint(
    'POST /hooks/:token',
    {
      summary: 'Posts a message through an incoming hook.',
      who: 'anybody',
      scope: 'none',
      limit: 'by address',
      errors: 'text',
      ownBody: ['application/json', 'application/x-www-form-urlencoded'],
      answers: { 200: ok },
      fails: [400, 403, 404, 410, 413, 429],
    },
    ({ stores, config, req, res, params }) => post(stores, config, req, res, params),
  ),
  endpoint(
    'POST /hooks/:token/:shape',
    {
      summary: 'Posts a message through an incoming hook, in a named shape.',
      who: 'anybody',
      scope: 'none',
      limit: 'by address',
      errors: 'text',
      ownBody: ['application/json', 'application/x-www-form-urlencoded'],
      answers: { 200: ok },
      fails: [400, 403, 404, 410, 413, 429],
    },
    ({ stores, config, req, res, params }) => post(stores, config, req, res, params),
  ),
  endpoint(
    'GET /hooks/:token',
    {
      summary: 'Checks the address of an incoming hook.',
      who: 'anybody',
      scope: 'none',
      errors: 'text',
      answers: { 200: ok },
      fails: [404, 429],
    },
    ({ stores, req, res, params }) => look(stores, req, res, params),
  ),
  endpoint(
    'GET /hooks/:token/:shape',
    {
      summary: 'Checks the address of an incoming hook and the name of a shape.',
      who: 'anybody',
      scope: 'none',
      errors: 'text',
      answers: { 200: ok },
      fails: [404, 429],
    },
    ({ stores, req, res, params }) => look(stores, req, res, params),
  ),
]

async function post(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  params: Address,
): Promise<void> {
  try {
    const answer = await receive(stores, config, req, res, params)
    if ('ignored' in answer) res.set('X-Ignored', inHeader(answer.ignored))
    else {
      res.set('X-Message-Id', String(answer.messageId))
      if (answer.dropped > 0) res.set('X-Dropped', String(answer.dropped))
    }
    res.type('text/plain').send('ok')
  } catch (err) {
    sendRefusal(res, refusalFor(err))
  }
}

/** The name of an event comes from the sender. */
const inHeader = (text: string) =>
  text
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
    .slice(0, 80) || 'event'

/** Some senders look first whether there is anything. */
async function look(stores: Stores, req: Request, res: Response, params: Address): Promise<void> {
  try {
    await hookAt(stores, req, params)
    res.type('text/plain').send('ok')
  } catch (err) {
    sendRefusal(res, refusalFor(err))
  }
}
