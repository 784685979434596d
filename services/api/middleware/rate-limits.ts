import { type Request, type RequestHandler, Router } from 'express'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { Username } from '#shared/domain/units.ts'
import { networkOf } from '#shared/http/networks.ts'
import { type Charge, rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import { hasBearer, tokenIn } from '#shared/http/tokens.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import type { RateName, Settings } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { keepsAllFiles } from './bodies.ts'
import { SAFE_METHODS, SILENT } from './csrf.ts'
import type { Counted, Entry } from './endpoint.ts'
import { tellLimits } from './rate-headers.ts'
import { takeTurns } from './turns.ts'

/** Every request counts for one of these, in the memory of the process. */
export const GENERAL = ['requests', 'token', 'anonymous'] as const satisfies readonly RateName[]

/** Counts every request for a limit of GENERAL, and lets the people of an office take turns. */
export function limitRequests(stores: Stores): Router {
  const take = rateLimits(stores)
  const routes = Router()
  routes.use(takeTurns(stores))
  routes.use(async (req, res, next) => {
    const charge = generalCharge(req)
    if (charge) tellLimits(req, res, await take(charge))
    next()
  })
  return routes
}

/**
 * The limits of an endpoint, per user (interface 8, security 11). Counted before anything but the scope of a token, so
 * that refused requests count too. Log-in, sign-up and reset count per address, at points that their handlers choose.
 */
export function limitsOf(
  { limit, isSilent }: Pick<Entry, 'limit' | 'isSilent'>,
  stores: Stores,
): RequestHandler[] {
  if (limit === undefined || limit === 'by address') return []
  const take = rateLimits(stores)
  const count: RequestHandler = async (req, res, next) => {
    const viewer = viewerIn(req)
    // Without a session, these operations do nothing.
    if (viewer === undefined) return next()
    try {
      const charges = limit.flatMap(counted => chargesOf(counted, req, viewer, stores.settings.current))
      tellLimits(req, res, await take(...charges))
    } catch (err) {
      if (!isSilent || !(err instanceof HttpError)) throw err
      return void res.status(204).end()
    }
    next()
  }
  return [count]
}

const FILE = /^\/(files|avatar|card_picture|emoji)\//

/** Reads, files, writes and streams (services/events/accept.ts) of a person have a counter each. */
function generalCharge(req: Request): Charge | undefined {
  const token = tokenIn(req)
  if (token) return ['token', String(token.id)]
  if (hasBearer(req)) return ['anonymous', networkOf(req.ip ?? '')]
  // Silent reports cannot be refused; they have their own limits.
  if (req.method === 'POST' && SILENT.test(req.path)) return undefined
  const viewer = viewerIn(req)
  if (viewer === undefined) return ['anonymous', networkOf(req.ip ?? '')]
  if (!SAFE_METHODS.has(req.method)) return ['requests', `writes:${viewer}`, 4]
  return FILE.test(req.path) ? ['requests', `files:${viewer}`, 2] : ['requests', viewer, 5]
}

function chargesOf(counted: Counted, req: Request, viewer: Username, settings: Settings): Charge[] {
  const [name, cost] = typeof counted === 'string' ? [counted, 1] : counted
  if (cost === 'signal') return [[name, inSession(req, viewer), KIB_OF_SIGNAL]]
  if (cost === 'media') return [[name, `media:${viewer}`, kibIn(req, MOST_KIB_OF_MEDIA)]]
  // Cards are requested by the client, searches by the person.
  if (cost === 'card') return [[name, `cards:${viewer}`, COST_OF_CARD]]
  if (name === 'files') return [[name, viewer, kibOfFiles(req, settings)]]
  if (name === 'send')
    return [
      [name, viewer],
      ['burst', viewer],
    ]
  return [[name, viewer, cost]]
}

/** Key per user and call or share. Ids are case-insensitive; the length of an invalid one is bounded. */
function inSession(req: Request, viewer: Username) {
  return `signals:${viewer}:${String(req.params['id']).toLowerCase().slice(0, LENGTH_OF_ID)}`
}

const LENGTH_OF_ID = 36
const KIB_OF_SIGNAL = 25
const COST_OF_CARD = 2
/** The largest chunk (interface 4.10). */
const MOST_KIB_OF_MEDIA = 1_024

/** Size of a body in KiB, at least 1; an unknown length counts as the maximum, because the body is not read yet. */
export function kibIn(req: Request, most: number) {
  const bytes = Number(req.headers['content-length'] ?? Number.NaN)
  return Number.isFinite(bytes) ? Math.min(Math.max(Math.ceil(bytes / 1_024), 1), most) : most
}

/** Forms without files are smaller. */
const UNCOUNTED_KIB = 64
/** Images of forms are decoded and encoded anew while the request waits. */
const TIMES_OF_IMAGES = 10

/** KiB of a part, or of a form with files. The type of a part is the client's choice and frees from nothing. */
function kibOfFiles(req: Request, settings: Settings): number {
  const kib = kibIn(req, settings.max_request_size_mb * 1_024)
  if (req.method === 'PATCH') return kib
  if (keepsAllFiles(req) && req.path.startsWith('/send/')) return kib > UNCOUNTED_KIB ? kib : 0
  return req.is('multipart/form-data') ? TIMES_OF_IMAGES * kib : 0
}

/** A text costs one message more for each of these beyond the first. */
const KIB_OF_MESSAGE = 8
/** Cost of a mention of everyone or of groups. */
const COST_OF_MASS_MENTION = 24

/** Counts the length of a message or edit, and a mention of everyone or of groups in it. */
export async function limitText(
  stores: Stores,
  sender: Username,
  text: string,
  { mentions, groups }: { mentions: readonly string[] | null; groups: readonly string[] },
): Promise<void> {
  const isToMany = groups.length > 0 || (mentions?.includes(EVERYONE) ?? false)
  const ofLength = Math.ceil(Buffer.byteLength(text) / (KIB_OF_MESSAGE * 1_024)) - 1
  const cost = ofLength + (isToMany ? COST_OF_MASS_MENTION - 1 : 0)
  // The request counts already. A full window is enough for any message.
  const most = stores.settings.current.rate_limits.send[0] - 1
  if (cost > 0) await rateLimits(stores)(['send', sender, Math.min(cost, most)])
}
