import { personOf } from '#shared/access/person.ts'
import { findReadableChannel, type ReadableChannel } from '#shared/access/readable-channel.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { SlackTime } from '#shared/domain/payloads/slack.ts'
import type { Username } from '#shared/domain/units.ts'
import { checkMayPost } from '#shared/posting/check-post.ts'
import { keepAnswer } from '../commands/keep-answer.ts'
import { limitText } from '../middleware/rate-limits.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { channelOf, personSeen, tsOf } from './lookup.ts'
import { argument, method, type SlackCall } from './method.ts'
import { textOf } from './text-of.ts'

/** A text of a bot that one person alone sees: an item of their inbox, which names the bot and the channel. */
export const ephemeralMethods = [
  ...method(
    'chat.postEphemeral',
    {
      scope: 'write',
      limit: ['send'],
      words: { forbidden: 'not_in_channel' },
      answer: { message_ts: SlackTime },
    },
    async call => {
      const { stores, viewer: bot } = call
      // The owner of a bot answers for it; with the token of a person such a text could be reported to nobody.
      if ((await personOf(stores.db, bot))?.kind !== 'bot') throw new SlackError('not_allowed_token_type')
      const channel = await channelOf(call)
      const { text } = await textOf(call)
      if (text === '') throw new SlackError('no_text')
      await checkMayPost(stores, bot, channel)
      const reader = await readerOf(call, channel)
      await limitText(stores, bot, text, { mentions: null, groups: [] })
      const ts = await keepAnswer(stores, { reader, channel: channel.id, command: null, bot, text })
      if (ts === undefined) throw new SlackError('user_not_found')
      return { message_ts: tsOf(ts) }
    },
  ),
]

/** The active person of the argument `user`, who reads the channel and sees the bot. */
async function readerOf(call: SlackCall, channel: ReadableChannel): Promise<Username> {
  const { stores, viewer: bot, args } = call
  const name = argument(args, 'user')?.trim().replace(/^@/, '') ?? ''
  const reader = await personSeen(stores, bot, name)
  const account = reader === undefined ? undefined : await personOf(stores.db, reader)
  if (!account) throw new SlackError('user_not_found')
  const { username, kind, state } = account
  const reads =
    kind === 'person' &&
    state === 'active' &&
    (await findReadableChannel(stores, username, channel.id)) &&
    (await visibleAmong(stores, username, [bot])).length > 0
  if (!reads) throw new SlackError('user_not_in_channel')
  return username
}
