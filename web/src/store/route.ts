/** Parses and formats the fragment of the address (ui.md 4). Pure. */
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId } from '#shared/domain/units.ts'

export interface Route {
  channel?: ChannelId
  message?: number
}

export function routeOf(hash: string): Route {
  const [, kind, name, m, id] = hash.replace(/^#/, '').split('/')
  const channel = channelOf(kind, name)
  if (!channel) return {}
  const message = m === 'm' && /^[1-9]\d{0,15}$/.test(id ?? '') ? Number(id) : undefined
  return message === undefined ? { channel } : { channel, message }
}

export function hashOf(channel: ChannelId, message?: number): string {
  const place = channel.startsWith('dm:')
    ? `#/d/${channel.slice('dm:'.length).split(':').join(',')}`
    : channel.startsWith('private:')
      ? `#/p/${channel.slice('private:'.length)}`
      : `#/c/${encodeURIComponent(channel)}`
  return message === undefined ? place : `${place}/m/${message}`
}

function channelOf(kind: string | undefined, name: string | undefined): ChannelId | undefined {
  if (!name) return undefined
  const decoded = decode(name)
  if (kind === 'c') return decoded
  if (kind === 'p') return parseChannelId(`private:${decoded}`)?.id
  if (kind === 'd') {
    const people = [...new Set(decoded.split(',').filter(Boolean))].sort()
    return people.length > 1 ? ['dm', ...people].join(':') : undefined
  }
  return undefined
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
