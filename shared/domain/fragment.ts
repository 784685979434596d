import type { ChannelId } from './units.ts'

/** The fragment that opens a channel, or a message in it (ui.md 4). */
export function fragmentOf(channel: ChannelId, message?: number): string {
  const place = channel.startsWith('dm:')
    ? `#/d/${channel.slice('dm:'.length).split(':').join(',')}`
    : channel.startsWith('private:')
      ? `#/p/${channel.slice('private:'.length)}`
      : `#/c/${encodeURIComponent(channel)}`
  return message === undefined ? place : `${place}/m/${message}`
}
