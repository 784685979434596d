import { visibleText } from '#shared/domain/one-line.ts'
import { send } from '../messages/send.ts'
import * as f from '../middleware/fields.ts'
import { object, text, whole } from './schemas.ts'
import { permalinkOf } from './shown-message.ts'
import { channelNamed, messageIn, tool } from './tool.ts'

export const sendMessage = tool(
  'send',
  {
    scope: 'write',
    limit: ['send', 'burst'],
    title: 'Send a message',
    description: 'Sends a text as the account of the token, where it may write. People see it at once.',
    inputSchema: object(
      {
        channel: text('Id of list_channels, #name, or @username for the conversation with one person.'),
        text: text('With *bold*, _italic_, `code`, fences and [links](https://…); @username mentions.'),
      },
      {
        reply_to: whole('Id of the message to which it replies.'),
        client_id: text('A UUID. A repetition with the same one sends nothing again.'),
      },
    ),
    outputSchema: object({ id: whole(), channel: text(), permalink: text() }),
    args: f.fields({
      channel: f.exactText,
      text: f.exactText,
      reply_to: f.id('a message'),
      client_id: f.clientId,
    }),
  },
  async (call, { channel: name, text: written, reply_to: replyTo, client_id: clientId }) => {
    const { stores, viewer, origin } = call
    const channel = await channelNamed(call, name)
    const target = replyTo == null ? undefined : await messageIn(call, channel, replyTo)
    const { id } = await send(stores, viewer, channel, {
      text: visibleText(written.trimEnd()),
      replyTo: target?.id,
      clientId,
      uploads: [],
    })
    return { id, channel: channel.id, permalink: permalinkOf(origin, id) }
  },
)
