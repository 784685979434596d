import type { ChannelId } from '#shared/domain/units.ts'
import { setArchived } from '../../services/api/channels/info/archive.ts'
import { findPublicChannels } from '../../services/api/channels/public/queries.ts'
import { type Command, type Given, listed } from './command.ts'
import { deleteChannel } from './delete-channel.ts'
import type { Outcome } from './outcome.ts'
import { withStores } from './stores.ts'

const MOST = 10_000
/** No account has this name; it reads every public channel. */
const NOBODY = ''
const OPERATOR = { name: 'The operator', address: undefined, isOperator: true } as const

const channels: Command = {
  usage: 'channels [--q TEXT] [--archived]',
  options: ['q'],
  flags: ['archived'],
  run: ({ options: { q, archived } }) =>
    withStores(async stores => {
      const page = await findPublicChannels(stores, NOBODY, {
        q,
        withArchived: archived !== undefined,
        sort: 'name',
        after: undefined,
        limit: MOST,
      })
      const items = page.map(({ place: _, joined: __, ...channel }) => channel)
      const rows = items.map(({ channel, name, members, posting, archived }) => [
        channel,
        name,
        `${members} people`,
        posting === 'managers' ? 'read-only' : 'open',
        archived ? 'archived' : 'in use',
      ])
      return { ...listed(rows, null, 'There are no such channels.'), json: { items, next: null } }
    }),
}

const archiving =
  (isArchived: boolean) =>
  ({ words: [channel = ''] }: Given): Promise<Outcome> =>
    withStores(async stores => {
      await setArchived(stores, OPERATOR, channel, isArchived)
      return {
        text: isArchived ? `${shown(channel)} is archived.` : `${shown(channel)} is in use again.`,
        json: { channel, archived: isArchived },
      }
    })

const shown = (channel: ChannelId) => (channel.includes(':') ? channel : `#${channel}`)

export const channelCommands: Record<string, Command> = {
  channels,
  archive: { usage: 'archive <channel>', run: archiving(true) },
  unarchive: { usage: 'unarchive <channel>', run: archiving(false) },
  'delete-channel': { usage: 'delete-channel <id>', run: ({ words }) => deleteChannel(words) },
}
