import { checkPosting } from '#shared/access/readable-channel.ts'
import { findReadableMessage } from '#shared/access/readable-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { checkLength } from '#shared/posting/check-post.ts'
import { type Mentioned, mentionedIn, mentionsOf } from '#shared/posting/mentioned.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { limitText } from '../middleware/rate-limits.ts'
import { lockWritable } from './lock-writable.ts'
import { type Before, replaceContent } from './queries.ts'

/**
 * Sender only; not for images or deleted messages, and only where the sender may write (interface 4.3).
 */
export async function edit(stores: Stores, editor: Username, id: unknown, text: string): Promise<Mentioned> {
  const message = await findReadableMessage(stores, editor, id)
  if (!message || message.sender !== editor || message.deleted === 1 || message.filename !== null) {
    throw errors.forbidden()
  }
  checkPosting(message.channel)
  if (text === '') throw errors.empty()
  checkLength(stores, text)

  const { channel } = message
  const mentioned = await mentionedIn(stores, editor, channel, text)
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
      const before = await replaceContent(tx, message.id, editor, channel.id, text, mentioned, keepsEarlier)
      // Deleted between the access check and this write.
      if (before === undefined) throw errors.forbidden()
      return before
    }),
  )
  return mentioned
}
