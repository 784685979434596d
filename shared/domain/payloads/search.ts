/** Search (interface 4.3 and 14.1). */
import type { SearchProblem } from '../search-query.ts'
import type { ChannelId, Seconds } from '../units.ts'

/** GET /search_messages (interface 4.3). */
export interface SearchResultPayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  ts: Seconds
}

/** GET /search (interface 14.1). */
export interface SearchPayload {
  items: SearchHitPayload[]
  /** Requests the next page; null on the last. */
  next: string | null
  /** The count of all pages, at most 1,000; `more` if there are or may be others. */
  total: number
  total_is: 'exact' | 'more'
  /** False if a bounded scan ended before the last message. */
  complete: boolean
  /** Where the scan ended, in whole seconds; absent if it is complete. */
  searched_back_to?: Seconds
  parsed: { problems: SearchProblem[] }
}

export interface SearchHitPayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  ts: Seconds
  /** The root of the thread; null for messages that reply to none. */
  thread: number | null
  /** The stored name of the file. */
  file: string | null
  /** Its original name; null for older images. */
  file_name: string | null
  /** Ranges of `content` that match a word, in UTF-16 units. */
  match: [start: number, end: number][]
}
