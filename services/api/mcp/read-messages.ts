import { readableThread } from '#shared/access/readable-thread.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { newestBefore } from '../messages/history.ts'
import { threadPage } from '../messages/threads/routes.ts'
import * as f from '../middleware/fields.ts'
import { fitted } from './fitted.ts'
import { list, object, orNull, text, whole } from './schemas.ts'
import { inOrder, MESSAGE, type ShownMessage, shownRow } from './shown-message.ts'
import { channelNamed, mayReach, messageIn, tool } from './tool.ts'

/** Rows of a page at most; few texts are so short that more fit. */
const MOST_ROWS = 100
/** UTF-16 units of the texts in memory: more than fit into a result. */
const MOST_TEXT = 65_536

const PAGE = object({
  messages: list(MESSAGE, 'Oldest first.'),
  next_before: orNull(whole('`before` of the page with older messages; null: there are none.')),
})
const BEFORE = whole('Id of a message: those before it, instead of the newest.')

export const readChannel = tool(
  'read_channel',
  {
    scope: 'read',
    title: 'Read a channel',
    description: 'The newest messages of a channel or conversation, or those before a message.',
    inputSchema: object(
      { channel: text('Id of list_channels, #name, or @username for the conversation with one person.') },
      { before: BEFORE },
    ),
    outputSchema: PAGE,
    args: f.fields({ channel: f.exactText, before: f.id('a message') }),
  },
  async (call, { channel: name, before: beforeId }) => {
    const { stores, viewer, origin } = call
    const channel = await channelNamed(call, name)
    const before = beforeId == null ? Infinity : (await messageIn(call, channel, beforeId)).ts
    const rows: MessagePayload[] = []
    let [text, isCut] = [0, false]
    const pages = newestBefore(stores, viewer, channel, before, MOST_ROWS + 1, { withExtra: true })
    for await (const part of pages) {
      rows.push(...part)
      text += part.reduce((sum, row) => sum + lengthOf(row), 0)
      for (; text > MOST_TEXT && rows.length > 1; isCut = true) text -= lengthOf(rows.shift()!)
    }
    return pageOf(rows.slice(-MOST_ROWS), isCut || rows.length > MOST_ROWS, origin)
  },
)

const lengthOf = ({ content }: MessagePayload) => content?.length ?? 0

export const readThread = tool(
  'read_thread',
  {
    scope: 'read',
    title: 'Read a thread',
    description: 'The first message of a thread with the newest replies, or replies before one of them.',
    inputSchema: object({ id: whole('Id of any message of the thread.') }, { before: BEFORE }),
    outputSchema: PAGE,
    args: f.fields({
      id: f.wholeNumber(1, Number.MAX_SAFE_INTEGER, f.invalid('the id of a message')),
      before: f.id('a message'),
    }),
  },
  async (call, { id, before }) => {
    const { stores, viewer, origin } = call
    const { channel } = await readableThread(stores, viewer, String(id))
    if (!mayReach(call, channel.id)) throw errors.notFound()
    const page = { limit: MOST_ROWS, before: before ?? undefined }
    const { root, rows, more } = await threadPage(stores, viewer, String(id), page)
    return pageOf(rows, more, origin, before == null && root ? [root] : [])
  },
)

/** `rows`: oldest first. `first`: rows that are always in it. */
function pageOf(
  rows: readonly MessagePayload[],
  more: boolean,
  origin: string,
  first: readonly MessagePayload[] = [],
) {
  const shown = (list: readonly MessagePayload[]) =>
    list.filter(({ deleted }) => deleted === 0).map(row => shownRow(row, origin))
  const roots = shown(first)
  const newest = shown(rows).toReversed()
  return fitted<ShownMessage, object>([...roots, ...newest], (some, isCut) => {
    const oldest = isCut ? some.at(-1)?.id : rows[0]?.id
    return { messages: inOrder(some), next_before: (isCut || more) && oldest !== undefined ? oldest : null }
  })
}
