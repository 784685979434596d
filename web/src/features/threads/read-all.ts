import { tolerateFailure } from '../../net/failure.ts'
import { followedThreads, readThread } from '../../net/lazy-endpoints.ts'

/** Pages of threads that one press marks as read. */
const MOST_PAGES = 10

/** Marks all followed threads as read, up to their newest reply now. False if some may be unread still. */
export async function readAllThreads(): Promise<boolean> {
  try {
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const { items, next } = await followedThreads(true, cursor)
      for (const { id, last } of items) await readThread(id, last?.id)
      if (next === null) return true
      cursor = next
    }
  } catch (error) {
    tolerateFailure(error)
  }
  return false
}
