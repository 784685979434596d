import type { Request, RequestHandler } from 'express'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { findReadableFile, findReadableMessage } from '#shared/access/readable-message.ts'
import { readableThread } from '#shared/access/readable-thread.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Endpoint, Within } from './endpoint.ts'

/** By default endpoints whose path has `:channel`. */
export const withinOf = ({ within, path }: Endpoint): Within =>
  within ?? (path.includes('/:channel') ? 'channel' : 'nowhere')

/** Keeps tokens that are limited to channels within these. */
export function withinChannels(endpoint: Endpoint, stores: Stores): RequestHandler {
  const within = withinOf(endpoint)
  return async (req, res, next) => {
    const token = tokenIn(req)
    if (!token?.channels || within === 'anywhere') return next()
    const channels = new Set(token.channels)
    if (within === 'nowhere') throw notOfChannels()
    if (within === 'list') {
      const json = res.json.bind(res)
      res.json = body => json(cutTo(channels, body))
      return next()
    }
    const channel = await CHANNEL_OF[within](stores, token.username, req)
    if (channel === undefined || !channels.has(channel)) throw errors.notFound()
    next()
  }
}

const notOfChannels = () =>
  errors.coded(403, 'forbidden', 'This token is limited to channels, and may not do this.')

type ChannelOf = (stores: Stores, viewer: Username, req: Request) => Promise<ChannelId | undefined>

const CHANNEL_OF: Record<Exclude<Within, 'list' | 'anywhere' | 'nowhere'>, ChannelOf> = {
  channel: async (stores, viewer, { params }) =>
    (await findReadableChannel(stores, viewer, params['channel']))?.id,
  message: async (stores, viewer, { params }) =>
    (await findReadableMessage(stores, viewer, params['id']))?.channel.id,
  thread: async (stores, viewer, { params }) =>
    (await readableThread(stores, viewer, params['id'])).channel.id,
  file: async (stores, viewer, { params }) =>
    (await findReadableFile(stores, viewer, String(params['name'])))?.message.channel.id,
  'private channel': async (stores, viewer, { params }) =>
    (await findReadableChannel(stores, viewer, `private:${params['id']}`))?.id,
}

/** `body`: ids, items with a `channel`, or values by channel. */
function cutTo(channels: ReadonlySet<ChannelId>, body: unknown): unknown {
  if (Array.isArray(body))
    return body.filter(item =>
      channels.has(typeof item === 'string' ? item : (item as { channel: ChannelId }).channel),
    )
  return Object.fromEntries(Object.entries(body as object).filter(([channel]) => channels.has(channel)))
}
