import { personOf } from '#shared/access/person.ts'
import { visibleText } from '#shared/domain/one-line.ts'
import { slackMessage } from '#shared/domain/slack-shape.ts'
import type { OfProgram } from '#shared/posting/post.ts'
import { ofProgram } from '#shared/posting/post-of-program.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { argument, parsedIn, type SlackCall } from './method.ts'

/**
 * Text, blocks and attachments as a message; `textName` is the argument with the text. A name and an emoji of their own are
 * for bots alone.
 */
export async function textOf(
  { stores, viewer, args }: SlackCall,
  textName = 'text',
): Promise<{ text: string; ofProgram: OfProgram }> {
  const payload = {
    text: argument(args, textName),
    username: argument(args, 'username'),
    icon_emoji: argument(args, 'icon_emoji'),
    blocks: parsedIn(args, 'blocks'),
    attachments: parsedIn(args, 'attachments'),
  }
  const longest = stores.settings.current.max_message_chars
  const { content, cards, cardsAt, name, emoji } = slackMessage(payload, { tellsEveryone: true, longest })
  if (payload.text !== undefined && [...payload.text].length > longest) throw new SlackError('msg_too_long')
  const isBot = (await personOf(stores.db, viewer))?.kind === 'bot'
  const bot = isBot ? { ...(name && { name }), ...(emoji && { emoji }) } : undefined
  return { text: visibleText(content.trimEnd()), ofProgram: ofProgram({ bot, cards, cardsAt }) }
}
