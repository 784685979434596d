/** Search (interface 4.3 and 14.1). */
import * as v from 'valibot'
import { PROBLEM_REASONS } from '../search-query.ts'
import { ChannelId, Seconds, wholeNumber } from './values.ts'

/** GET /search_messages (interface 4.3). */
export const SearchResultPayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  sender: v.string(),
  content: v.nullable(v.string()),
  ts: Seconds,
})
export type SearchResultPayload = v.InferOutput<typeof SearchResultPayload>

export const SearchHitPayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  sender: v.string(),
  content: v.nullable(v.string()),
  ts: Seconds,
  /** The root of the thread; null for messages that reply to none. */
  thread: v.nullable(wholeNumber),
  /** The stored name of the file. */
  file: v.nullable(v.string()),
  /** Its original name; null for older images. */
  file_name: v.nullable(v.string()),
  /** Ranges of `content` that match a word, in UTF-16 units. */
  match: v.array(v.strictTuple([wholeNumber, wholeNumber])),
})
export type SearchHitPayload = v.InferOutput<typeof SearchHitPayload>

/** GET /search (interface 14.1). */
export const SearchPayload = v.strictObject({
  items: v.array(SearchHitPayload),
  /** Requests the next page; null on the last. */
  next: v.nullable(v.string()),
  /** The count of all pages, at most 1,000; `more` if there are or may be others. */
  total: wholeNumber,
  total_is: v.picklist(['exact', 'more']),
  /** False if a bounded scan ended before the last message. */
  complete: v.boolean(),
  /** Where the scan ended, in whole seconds; absent if it is complete. */
  searched_back_to: v.exactOptional(Seconds),
  parsed: v.strictObject({
    problems: v.array(v.strictObject({ token: v.string(), why: v.picklist(PROBLEM_REASONS) })),
  }),
})
export type SearchPayload = v.InferOutput<typeof SearchPayload>
