import type { Request, RequestHandler, Response } from 'express'
import * as v from 'valibot'
import type { Scope } from '#shared/domain/tokens.ts'
import type { Username } from '#shared/domain/units.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { RateName } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { BodyReader } from './body-readers.ts'
import { readFields } from './read-fields.ts'

/**
 * Callers that an endpoint admits. `mount` refuses the callers of `anybody` to `owner`; for the others it asks for a session
 * only, and the verb refuses: it looks the thing up as the viewer. The walks in `services/api/*.slow.test.ts` check both.
 */
export type Caller =
  /** Also without a session. */
  | 'anybody'
  | 'signed in'
  | 'admin'
  | 'owner'
  /** Reads the channel or message, or takes part in the call, that the request names. */
  | 'member'
  | 'author'
  /** Manages the channel or group. */
  | 'manager'
  | 'moderator'
  /** May invite, by the settings of the workspace. */
  | 'inviter'

/** Scope that a token needs. `none`: the endpoint takes no token (scopes.ts). */
export type NeededScope = Scope | 'none'

/**
 * How a token that is limited to channels may use an endpoint (limited-token.ts). A path names the channel, a message, a
 * thread by one of its messages, a file or a private channel: 404 for those of other channels. `list`: the items of other
 * channels are left out. `anywhere`: nothing of a channel is read or written. `nowhere`: 403.
 */
export type Within =
  | 'channel'
  | 'message'
  | 'thread'
  | 'file'
  | 'private channel'
  | 'list'
  | 'anywhere'
  | 'nowhere'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** A response. */
export interface Answer<Body = unknown> {
  /** The type of its body; undefined without one. */
  type: string | undefined
  /** The body in words. */
  name?: string
  /** The body of a handler that returns it. */
  schema?: v.GenericSchema
  /** Only a type. */
  readonly body?: Body
}

/** A JSON body, which the handler returns. Its schema, or that of its parts, is in shared/domain/payloads. */
export const payload = <const Schema extends v.GenericSchema>(
  schema: Schema,
): Answer<v.InferOutput<Schema>> => ({ type: 'application/json', schema })
/** A body that the handler sends itself. */
export const content = (type: string, name: string): Answer<never> => ({ type, name })
export const nothing: Answer<never> = { type: undefined, name: 'no body' }
export const ok = content('text/plain', 'ok')
/** The body of operations of calls that return nothing. */
export const done = payload(v.strictObject({ status: v.literal('ok') }))
export const page = content('text/html', 'a page')
export const redirect: Answer<never> = { type: undefined, name: 'to Location' }

type Answers = Readonly<Record<number, Answer>>

/** A limit of the settings, with what a request costs of it; 1, or its size, by default (middleware/rate-limits.ts). */
export type Counted = RateName | readonly [name: RateName, cost: number | 'signal' | 'media' | 'card']

/** Description of an endpoint without its handler. */
export interface Entry {
  /** A sentence of at most 80 characters, for the document of the interface (interface 19.7). Every endpoint has it. */
  readonly summary?: string
  readonly who: Caller
  /** Limits per person for which a request counts; `by address`: its handler counts it at a point of its choice. */
  readonly limit?: readonly Counted[] | 'by address'
  /** Over the limit, the request gets its usual response without effect (security 11). */
  readonly isSilent?: true
  /**
   * Form of all errors: `{"error", "code"}` (interface 10), the same with `request_id` (interface 19), `{"error"}` or a
   * sentence (interface 7); `slack`: a word of Slack's, and tokens alone are taken (interface 19.8).
   */
  readonly errors?: 'named' | 'json' | 'text' | 'slack'
  /** Scope that a token needs, where the rule of scopes.ts gives another. */
  readonly scope?: NeededScope
  /** Use by a token that is limited to channels, where limited-token.ts gives another. */
  readonly within?: Within
  /** Asks for the password again (`confirm_minutes`). */
  readonly isConfirmed?: true
  readonly query?: v.GenericSchema
  readonly body?: BodyReader<unknown>
  /** Media types of a body that the handler reads itself. */
  readonly ownBody?: readonly string[]
  readonly answers: Answers
  /** Errors of its handler. The entry tells the others: no session, too many requests, not an admin. */
  readonly fails?: readonly number[]
  /** Middleware of its own, before the body is read. */
  readonly first?: readonly RequestHandler[]
  /** Runs before the body is read, so that outsiders upload nothing. Its result is `ready`. */
  readonly prepare?: (call: Preparation) => unknown
}

/** A request before its body is read. */
export interface Preparation extends Services {
  req: Request
  res: Response
  viewer: Username
  params: Request['params']
}

/** A change needs a limit. */
type EntryOf<Route> = Route extends `GET ${string}` ? Entry : Entry & Required<Pick<Entry, 'limit'>>

export interface Services {
  stores: Stores
  config: Config
}

type ParamsOf<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamsOf<Head> | ParamsOf<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never

/**
 * A request to an endpoint. `query` and `body` are checked where the handler reads them, so that a lookup before that comes
 * first among the errors.
 */
export interface Call<Route, E extends Entry> extends Services {
  req: Request
  res: Response
  viewer: E['who'] extends 'anybody' ? Username | undefined : Username
  params: Record<ParamsOf<PathOf<Route>>, string>
  query: E['query'] extends v.GenericSchema ? v.InferOutput<E['query']> : undefined
  body: E['body'] extends BodyReader<infer Body> ? Body : undefined
  ready: E['prepare'] extends (call: Preparation) => infer Ready ? Awaited<Ready> : undefined
}

/** Method and path, as in the table of the interface: `GET /pins/:channel`. */
type Route = `${Uppercase<Method>} /${string}`
type PathOf<Route> = Route extends `${string} ${infer Path}` ? Path : never
type BodyIn<A> = { [Status in keyof A]: A[Status] extends Answer<infer Body> ? Body : never }[keyof A]
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that has sent the response itself.
type Returned<Body> = Body | undefined | void

/** Returns the JSON body; nothing if the answer is 204, or if it has sent the response itself. */
export type Handler<Route, E extends Entry> = (
  call: Call<Route, E>,
) => Promise<Returned<BodyIn<E['answers']>>> | Returned<BodyIn<E['answers']>>

/** An entry with its handler. Only `endpoint` makes one, and `mount` takes nothing else. */
export interface Endpoint extends Entry {
  readonly method: Method
  readonly path: string
  readonly handler: (services: Services) => RequestHandler
  /** Keeps other objects from being one. */
  readonly [made]: true
}
const made = Symbol('endpoint')

export function endpoint<const R extends Route, const E extends EntryOf<R>>(
  route: R,
  entry: E,
  handle: Handler<R, E>,
): Endpoint {
  const [method, path] = route.split(' ') as [string, string]
  const { query, body: reader } = entry
  const handler: Endpoint['handler'] = services => async (req, res) => {
    const call = {
      ...services,
      ...{ req, res, viewer: viewerIn(req), params: req.params, ready: res.locals['ready'] },
      get query() {
        return query && readFields(query, req.query)
      },
      get body() {
        return reader && readFields(reader.schema, req.body, reader)
      },
    }
    const body = await handle(call as unknown as Call<R, E>)
    if (res.headersSent || res.destroyed) return
    if (body === undefined && 204 in entry.answers) res.status(204).end()
    else res.json(body)
  }
  return { ...entry, method: method.toLowerCase() as Method, path, handler, [made]: true }
}
