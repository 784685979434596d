import * as v from 'valibot'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { SlackCursorPayload, SlackMessagePayload } from '#shared/domain/payloads/slack.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { newestBefore } from '../messages/history.ts'
import { threadPage } from '../messages/threads/routes.ts'
import { atOnce } from '../middleware/at-once.ts'
import { originForOthers } from '../middleware/origin.ts'
import { cursorText } from '../middleware/paging.ts'
import { perStores } from '../middleware/per-stores.ts'
import { SlackError } from '../middleware/slack-form.ts'
import { channelOf, messageOf } from './lookup.ts'
import { argument, cursorIn, flagIn, limitIn, method, type SlackCall } from './method.ts'
import { messageObject } from './objects.ts'
import { timesOf } from './queries.ts'

const MOST_ROWS = 200
/** UTF-16 units of text in a page. */
const MOST_TEXT = 1_048_576
/** Pages in progress per user and process. */
const pagesAtOnce = perStores(stores => atOnce(stores, 4))
const STEP: Seconds = 0.000_001

const TIME = v.pipe(v.number(), v.finite())
const ID = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const PAGE = {
  messages: v.array(SlackMessagePayload),
  has_more: v.boolean(),
  response_metadata: SlackCursorPayload,
}

/** Interface 19.8. */
export const historyMethods = [
  ...method('conversations.history', { scope: 'read', answer: PAGE }, async call => {
    const channel = await channelOf(call)
    const limit = limitIn(call.args, 100, MOST_ROWS)
    const isInclusive = flagIn(call.args, 'inclusive')
    const latest = timeIn(call, 'latest') ?? Number.POSITIVE_INFINITY
    const oldest = timeIn(call, 'oldest') ?? 0
    const before = cursorIn(call.args, TIME) ?? latest + (isInclusive ? STEP : 0)
    const { rows, more } = await pagesAtOnce(call.stores)(call.viewer, () =>
      rowsBefore(call, channel, before, limit),
    )
    const within = rows.filter(({ ts }) => (isInclusive ? ts > oldest - STEP : ts > oldest))
    const isMore = more && within.length === rows.length
    return await pageOf(call, channel, within.toReversed(), isMore ? within[0]?.ts : undefined)
  }),

  ...method(
    'conversations.replies',
    { scope: 'read', words: { 'not found': 'thread_not_found' }, answer: PAGE },
    async call => {
      const channel = await channelOf(call)
      const { id } = await messageOf(call, channel, 'ts')
      const limit = limitIn(call.args, 100, MOST_ROWS)
      const before = cursorIn(call.args, ID)
      const { root, rows, more } = await pagesAtOnce(call.stores)(call.viewer, () =>
        threadPage(call.stores, call.viewer, String(id), { before, limit }),
      )
      const isFirst = before === undefined
      const shown = isFirst && root ? [root, ...rows] : rows
      return await pageOf(call, channel, shown, more ? rows[0]?.id : undefined)
    },
  ),
]

/** Rows before a time, oldest first; the oldest are left out beyond the text of a page. */
async function rowsBefore(call: SlackCall, channel: ReadableChannel, before: Seconds, limit: number) {
  const rows: MessagePayload[] = []
  let text = 0
  let isCut = false
  const shown = { withExtra: true }
  for await (const part of newestBefore(call.stores, call.viewer, channel, before, limit + 1, shown)) {
    rows.push(...part)
    text += part.reduce((sum, row) => sum + lengthOf(row), 0)
    while (text > MOST_TEXT && rows.length > 1) {
      text -= lengthOf(rows.shift()!)
      isCut = true
    }
  }
  const more = isCut || rows.length > limit
  return { rows: rows.slice(-limit), more }
}

const lengthOf = ({ content }: MessagePayload) => content?.length ?? 0

async function pageOf(
  call: SlackCall,
  channel: ReadableChannel,
  rows: readonly MessagePayload[],
  next: number | undefined,
) {
  const living = rows.filter(({ deleted }) => deleted === 0)
  const roots = [...new Set(living.flatMap(({ extra }) => extra?.thread ?? []))]
  const times = await timesOf(call.stores.db, channel.id, roots, channel.historyStart)
  const origin = originForOthers(call.req, call.config)
  return {
    messages: living.map(row => messageObject(row, times, origin)),
    has_more: next !== undefined,
    response_metadata: { next_cursor: next === undefined ? '' : cursorText(next) },
  }
}

function timeIn({ args }: SlackCall, name: string): Seconds | undefined {
  const text = argument(args, name)
  if (text === undefined || text === 'now') return undefined
  if (!/^\d{1,12}(\.\d{1,9})?$/.test(text)) throw new SlackError(`invalid_ts_${name}`)
  return Number(text)
}
