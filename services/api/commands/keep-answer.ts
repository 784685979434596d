import { lockNames } from '#shared/access/account-locks.ts'
import { lockUndeleted } from '#shared/access/lock-channels.ts'
import { lockParticipants } from '#shared/access/lock-participants.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertAnswer } from './queries.ts'

/** Characters of an item. */
const LONGEST = 2_000

interface KeptAnswer {
  /** The person who alone sees it. */
  reader: Username
  channel: ChannelId
  /** Null for a text that answers no command. */
  command: string | null
  bot: Username
  text: string
}

/** Keeps a text of a bot as an item of the inbox for a day. Returns its time; undefined if the person is gone. */
export async function keepAnswer(
  stores: Stores,
  { reader, channel, command, bot, text }: KeptAnswer,
): Promise<Seconds | undefined> {
  const content = [...text].slice(0, LONGEST).join('')
  return runTransaction(stores, 'answerCommand', { users: [reader] }, async tx => {
    await lockParticipants(tx, channel)
    await lockNames(tx, [reader, bot])
    await lockUndeleted(stores, tx, [channel])
    return insertAnswer(tx, { username: reader, channel, command, bot, content })
  })
}
