import { checkPosting } from '#shared/access/readable-channel.ts'
import { findReadableMessage } from '#shared/access/readable-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { checkLength } from '#shared/posting/check-post.ts'
import { type Mentioned, type MentionRule, mentionedIn, mentionsOf } from '#shared/posting/mentioned.ts'
import type { OfProgram } from '#shared/posting/post.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { limitText } from '../middleware/rate-limits.ts'
import { lockWritable } from './lock-writable.ts'
import { type Before, replaceContent } from './queries.ts'

/**
 * Sender only; not for images or deleted messages, and only where the sender may write (interface 4.3). The cards of a
 * program are those of `ofProgram` afterwards, none without it; the rest of its keys stays.
 */
export async function edit(
  stores: Stores,
  editor: Username,
  id: unknown,
  text: string,
  { ofProgram, rule }: { ofProgram?: OfProgram; rule?: MentionRule } = {},
): Promise<Mentioned> {
  const message = await findReadableMessage(stores, editor, id)
  if (!message || message.sender !== editor || message.deleted === 1 || message.filename !== null) {
    throw errors.forbidden()
  }
  checkPosting(message.channel)
  if (text === '') throw errors.empty()
  checkLength(stores, text)

  const { channel } = message
  const mentioned = await mentionedIn(stores, editor, channel, text, rule)
  const { mentions } = mentioned
  await limitText(stores, editor, text, mentioned)
  const scope = (before: Before) => ({
    channel: channel.id,
    besides: mentionsOf(channel.id, mentions, before.mentions, {
      id: message.id,
      followers: before.followers,
      also: [editor],
    }),
  })
  await stores.rowLockQueues.run(channel.id, () =>
    runTransaction(stores, 'edit', scope, async tx => {
      if (!(await lockWritable(stores, tx, editor, channel))) throw errors.forbidden()
      const { keep_edits: keepsEarlier } = stores.settings.current
      const before = await replaceContent(tx, message.id, editor, channel.id, text, mentioned, {
        keepsEarlier,
        ofProgram,
      })
      // Deleted between the access check and this write.
      if (before === undefined) throw errors.forbidden()
      return before
    }),
  )
  return mentioned
}
