import { type Request, type RequestHandler, Router } from 'express'
import { EVERYONE } from '#shared/domain/mentions.ts'
import type { Username } from '#shared/domain/units.ts'
import { networkOf } from '#shared/http/networks.ts'
import { type Charge, rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import type { RateName, Settings } from '#shared/runtime/settings.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { keepsAllFiles } from './bodies.ts'
import { SAFE_METHODS, SILENT } from './csrf.ts'
import { errorsAsJson, errorsWithCode } from './errors.ts'
import { takeTurns } from './turns.ts'

export interface LimitedRoute {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  path: string
  /** Limits that a request counts for. */
  names: readonly RateName[]
  /** Over the limit the request gets its usual response without effect (security 11). */
  isSilent?: true
}

/**
 * Limits of single operations, per user (decisions, Rate limits; security 11). Counted before anything else, so that
 * refused requests count too. Log-in, sign-up and reset count per address, and only at selected points:
 * the routes of accounts. Every request also counts for a limit of GENERAL.
 */
export const LIMITED_ROUTES: readonly LimitedRoute[] = [
  { names: ['password'], method: 'post', path: '/change-password' },
  { names: ['password'], method: 'post', path: '/delete_account' },
  { names: ['send', 'send_burst', 'upload', 'upload_day'], method: 'post', path: '/send/:channel' },
  { names: ['upload_mib'], method: 'patch', path: '/uploads/:id' },
  { names: ['other'], method: 'put', path: '/uploads/:id' },
  { names: ['other'], method: 'delete', path: '/uploads/:id' },
  { names: ['search'], method: 'get', path: '/channel_files/:channel' },
  { names: ['search'], method: 'get', path: '/channel_days/:channel' },
  { names: ['forward'], method: 'post', path: '/forward/:id' },
  { names: ['change'], method: 'post', path: '/edit/:id' },
  { names: ['change'], method: 'post', path: '/delete/:id' },
  { names: ['change'], method: 'post', path: '/react/:id' },
  { names: ['search'], method: 'get', path: '/search_messages' },
  { names: ['search'], method: 'get', path: '/search' },
  { names: ['link_preview'], method: 'get', path: '/link_preview' },
  { names: ['avatar', 'upload', 'upload_day'], method: 'post', path: '/avatar' },
  { names: ['create_channel'], method: 'post', path: '/private_channels/create' },
  { names: ['add_member'], method: 'post', path: '/private_channels/:id/add_member' },
  { names: ['rename'], method: 'post', path: '/private_channels/:id/rename' },
  { names: ['add_member'], method: 'post', path: '/private_channels/:id/remove_member' },
  { names: ['create_channel'], method: 'post', path: '/public_channels' },
  { names: ['other'], method: 'post', path: '/public_channels/:channel/join' },
  { names: ['other'], method: 'post', path: '/public_channels/:channel/leave' },
  { names: ['add_member'], method: 'post', path: '/public_channels/:channel/add' },
  { names: ['add_member'], method: 'post', path: '/public_channels/:channel/remove' },
  { names: ['rename'], method: 'patch', path: '/channel_info/:channel' },
  { names: ['rename'], method: 'post', path: '/channel_info/:channel/archive' },
  { names: ['rename'], method: 'post', path: '/channel_info/:channel/unarchive' },
  { names: ['rename'], method: 'put', path: '/channel_info/:channel/managers/:username' },
  { names: ['rename'], method: 'delete', path: '/channel_info/:channel/managers/:username' },
  { names: ['call'], method: 'post', path: '/calls/initiate' },
  { names: ['call'], method: 'post', path: '/calls/:id/join' },
  { names: ['call'], method: 'post', path: '/screenshare/start' },
  { names: ['invite'], method: 'post', path: '/calls/:id/invite' },
  { names: ['signal'], method: 'post', path: '/calls/:id/signal' },
  { names: ['signal'], method: 'post', path: '/screenshare/:id/signal' },
  { names: ['media'], method: 'post', path: '/calls/:id/media' },
  { names: ['media'], method: 'post', path: '/screenshare/:id/media' },
  { names: ['typing'], method: 'post', path: '/typing/:channel', isSilent: true },
  { names: ['presence'], method: 'post', path: '/presence', isSilent: true },
  { names: ['presence'], method: 'post', path: '/presence/override', isSilent: true },
  { names: ['mark_read'], method: 'post', path: '/mark_read/:channel' },
  { names: ['mark_read'], method: 'post', path: '/mark_unread/:channel' },
  { names: ['mark_all'], method: 'post', path: '/mark_unread' },
  { names: ['mark_all'], method: 'post', path: '/mark_all_read' },
  { names: ['other'], method: 'patch', path: '/channel_prefs/:channel' },
  { names: ['other'], method: 'put', path: '/status' },
  { names: ['other'], method: 'delete', path: '/status' },
  { names: ['other'], method: 'post', path: '/sections' },
  { names: ['other'], method: 'patch', path: '/sections/:id' },
  { names: ['other'], method: 'delete', path: '/sections/:id' },
  { names: ['mark_read'], method: 'post', path: '/inbox/read' },
  { names: ['mark_read'], method: 'post', path: '/thread/:id/read' },
  { names: ['search'], method: 'get', path: '/threads' },
  { names: ['search'], method: 'post', path: '/threads/read' },
  { names: ['other'], method: 'put', path: '/thread/:id/follow' },
  { names: ['other'], method: 'delete', path: '/thread/:id/follow' },
  // Invalidates a collection of every channel.
  { names: ['rename'], method: 'patch', path: '/preferences' },
  { names: ['other'], method: 'post', path: '/settings' },
  { names: ['other'], method: 'delete', path: '/avatar' },
  { names: ['avatar', 'upload', 'upload_day'], method: 'post', path: '/emoji' },
  { names: ['other'], method: 'delete', path: '/emoji/:name' },
  { names: ['other'], method: 'post', path: '/dms/close' },
  { names: ['other'], method: 'post', path: '/private_channels/:id/leave' },
  { names: ['other'], method: 'post', path: '/calls/:id/accept' },
  { names: ['other'], method: 'post', path: '/calls/:id/reject' },
  { names: ['other'], method: 'post', path: '/calls/:id/end' },
  { names: ['other'], method: 'post', path: '/calls/:id/leave' },
  { names: ['other'], method: 'post', path: '/calls/:id/screenshare' },
  { names: ['other'], method: 'post', path: '/screenshare/:id/stop' },
  { names: ['other'], method: 'delete', path: '/sessions/:id' },
  { names: ['password'], method: 'post', path: '/confirm' },
  { names: ['rename'], method: 'patch', path: '/me' },
  { names: ['invitation'], method: 'post', path: '/invites' },
  { names: ['other'], method: 'delete', path: '/invites/:id' },
  { names: ['other'], method: 'post', path: '/invite/:code' },
  { names: ['admin'], method: 'patch', path: '/admin/settings' },
  { names: ['backup'], method: 'post', path: '/admin/backups' },
  { names: ['admin', 'upload', 'upload_day'], method: 'post', path: '/admin/logo' },
  { names: ['admin'], method: 'delete', path: '/admin/logo' },
  { names: ['admin'], method: 'post', path: '/admin/people' },
  { names: ['admin'], method: 'patch', path: '/admin/people/:name' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/approve' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/reject' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/deactivate' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/reactivate' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/end_sessions' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/reset_link' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/rename' },
  { names: ['admin'], method: 'post', path: '/admin/people/:name/delete' },
  { names: ['change'], method: 'post', path: '/moderate/delete/:id' },
  { names: ['admin'], method: 'post', path: '/groups' },
  { names: ['admin'], method: 'patch', path: '/groups/:handle' },
  { names: ['admin'], method: 'delete', path: '/groups/:handle' },
  { names: ['change'], method: 'put', path: '/pin/:id' },
  { names: ['change'], method: 'delete', path: '/pin/:id' },
  { names: ['change'], method: 'put', path: '/saved/:id' },
  { names: ['change'], method: 'patch', path: '/saved/:id' },
  { names: ['change'], method: 'delete', path: '/saved/:id' },
  { names: ['send', 'send_burst'], method: 'post', path: '/scheduled' },
  { names: ['change'], method: 'patch', path: '/scheduled/:id' },
  { names: ['change'], method: 'delete', path: '/scheduled/:id' },
  { names: ['other'], method: 'put', path: '/drafts/:channel' },
  { names: ['search'], method: 'get', path: '/admin/audit.csv' },
  { names: ['search'], method: 'get', path: '/admin/retention' },
  { names: ['search'], method: 'get', path: '/admin/channels' },
]

/** Every request counts for one of these, in the memory of the process. */
export const GENERAL = ['read', 'file', 'write', 'anonymous'] as const satisfies readonly RateName[]

/** These always refuse in JSON (decisions, Errors). */
const IN_JSON = ['/change-password', '/delete_account', '/calls', '/screenshare']

/** Extensions, which always refuse with `{"error", "code"}` (interface 10). */
const WITH_CODE = [
  '/preferences',
  '/inbox',
  '/client_errors',
  '/private_channels/:id/remove_member',
  '/search',
  '/thread',
  '/threads',
  '/mark_unread',
  '/mark_all_read',
  '/channel_prefs',
  '/sidebar',
  '/sections',
  '/status',
  '/admin',
  '/workspace',
  '/me',
  '/session',
  '/confirm',
  '/public_channels',
  '/channel_info',
  '/channel_people',
  '/channel_days',
  '/message/:id/edits',
  '/linked_messages',
  '/emoji',
  '/people',
  '/people_changes',
  '/moderate',
  '/invites',
  '/groups',
  '/uploads',
  '/channel_files',
  '/forward',
  '/pin',
  '/pins',
  '/saved',
  '/scheduled',
  '/drafts',
]

export function limitRates(stores: Stores): Router {
  const take = rateLimits(stores)
  const routes = Router()
  routes.use(IN_JSON, errorsAsJson)
  routes.use(WITH_CODE, errorsWithCode)
  routes.use(takeTurns(stores))
  routes.use(async (req, _res, next) => {
    const charge = generalCharge(req)
    if (charge) await take(charge)
    next()
  })

  for (const { names, method, path, isSilent } of LIMITED_ROUTES) {
    const limit: RequestHandler = async (req, res, next) => {
      const viewer = viewerIn(req)
      // Without a session, these operations do nothing.
      if (viewer === undefined) return next()
      try {
        const counted = names.flatMap(name => instead(name, req))
        await take(...counted.map(name => chargeOf(name, req, viewer, stores.settings.current)))
      } catch (err) {
        if (!isSilent || !(err instanceof HttpError)) throw err
        return void res.status(204).end()
      }
      next()
    }
    routes[method](path, limit)
  }
  return routes
}

const FILE = /^\/(files|avatar|card_picture|emoji)\//

function generalCharge(req: Request): Charge | undefined {
  // Silent reports cannot be refused; they have their own limits.
  if (req.method === 'POST' && SILENT.test(req.path)) return undefined
  const viewer = viewerIn(req)
  if (viewer === undefined) return ['anonymous', networkOf(req.ip ?? '')]
  if (!SAFE_METHODS.has(req.method)) return ['write', viewer]
  return [FILE.test(req.path) ? 'file' : 'read', viewer]
}

/** Sends with files of any type have one limit for their size instead of the two of the interface. */
function instead(name: RateName, req: Request): RateName[] {
  if (!keepsAllFiles(req) || !req.path.startsWith('/send/')) return [name]
  if (name === 'upload') return ['upload_mib']
  return name === 'upload_day' ? [] : [name]
}

function chargeOf(name: RateName, req: Request, viewer: Username, settings: Settings): Charge {
  switch (name) {
    case 'signal':
      return [name, inSession(req, viewer)]
    case 'media':
      return [name, viewer, kibIn(req, MOST_KIB_OF_MEDIA)]
    case 'upload':
    case 'upload_day': {
      const most = settings.max_request_size_mb * 1_024
      return [name, viewer, req.is('multipart/form-data') ? kibIn(req, most) : 0]
    }
    case 'upload_mib':
      return [name, viewer, kibOfFiles(req, settings)]
    default:
      return [name, viewer]
  }
}

/** Key per user and call or share. Ids are case-insensitive; the length of an invalid one is bounded. */
function inSession(req: Request, viewer: Username) {
  return `${viewer}:${String(req.params['id']).toLowerCase().slice(0, LENGTH_OF_ID)}`
}

const LENGTH_OF_ID = 36
/** The largest chunk (interface 4.10, decisions, Media relay). */
const MOST_KIB_OF_MEDIA = 1_024

/** Size of a body in KiB, at least 1; an unknown length counts as the maximum, because the body is not read yet. */
function kibIn(req: Request, most: number) {
  const bytes = Number(req.headers['content-length'] ?? Number.NaN)
  return Number.isFinite(bytes) ? Math.min(Math.max(Math.ceil(bytes / 1_024), 1), most) : most
}

/** Forms without files are smaller. */
const UNCOUNTED_KIB = 64

/** KiB of a part, or of a form with files. The type of a part is the client's choice and frees from nothing. */
function kibOfFiles(req: Request, settings: Settings): number {
  const kib = kibIn(req, settings.max_request_size_mb * 1_024)
  return req.method === 'PATCH' || kib > UNCOUNTED_KIB ? kib : 0
}

/** Shorter texts are bounded by the limit of messages; counting them would cost a round trip each. */
const UNCOUNTED_BYTES = 1_024

/** Counts the length of a message or edit, and a mention of everyone or of groups in it. */
export async function limitText(
  stores: Stores,
  sender: Username,
  text: string,
  { mentions, groups }: { mentions: readonly string[] | null; groups: readonly string[] },
): Promise<void> {
  const bytes = Buffer.byteLength(text)
  const isToMany = groups.length > 0 || (mentions?.includes(EVERYONE) ?? false)
  if (bytes <= UNCOUNTED_BYTES && !isToMany) return
  await rateLimits(stores)(
    ['text', sender, bytes > UNCOUNTED_BYTES ? Math.ceil(bytes / 1_024) : 0],
    ['mass_mention', sender, isToMany ? 1 : 0],
  )
}
