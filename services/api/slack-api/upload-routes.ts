import type { Request } from 'express'
import type { Username } from '#shared/domain/units.ts'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { liveTokens } from '#shared/http/tokens.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { receiveWhole } from '../files/uploads/receive-whole.ts'
import { partsAtOnce } from '../files/uploads/upload-file.ts'
import { endpoint, ok } from '../middleware/endpoint.ts'
import { kibIn } from '../middleware/rate-limits.ts'
import { ticketIn } from './upload-ticket.ts'

/** `upload_url` of the Slack API (interface 19.8): its ticket is the only key. Mounted before the sessions. */
export const slackUploadEndpoints = [
  endpoint(
    'POST /slack_uploads/:ticket',
    {
      summary: 'Takes the bytes of a file for the Slack API, as they are or in a form.',
      who: 'anybody',
      scope: 'none',
      limit: 'by address',
      errors: 'text',
      ownBody: ['application/octet-stream', 'multipart/form-data'],
      answers: { 200: ok },
      fails: [400, 404, 409, 413, 429],
    },
    async ({ stores, config, req, res, params }) => {
      const { token, username, upload } = await holderOf(stores, config, req, params.ticket)
      const kib = kibIn(req, stores.settings.current.max_request_size_mb * 1_024)
      await rateLimits(stores)(['token', String(token)], ['files', username, kib])
      await partsAtOnce(stores)(username, () => receiveWhole(stores, username, upload, req, res))
      res.type('text/plain').send('ok')
    },
  ),
]

interface Holder {
  token: number
  /** The present name of the account of the token. */
  username: Username
  upload: string
}

/** Unknown tickets, old ones and those of ended tokens have one answer, and count for `anonymous`. */
async function holderOf(stores: Stores, config: Config, req: Request, text: string): Promise<Holder> {
  const ticket = ticketIn(config, stores.clock.now(), text)
  const username = ticket && (await liveTokens(stores, [ticket.token])).get(ticket.token)
  if (username !== undefined) return { ...ticket!, username }
  await rateLimits(stores)(['anonymous', networkOf(req.ip ?? '')])
  throw errors.notFound()
}
