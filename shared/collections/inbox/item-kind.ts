import type { InboxItem, InboxKind } from '#shared/domain/payloads/inbox.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** A row of the feed before its text is read. */
export interface Candidate {
  viewer: Username
  kind: InboxKind
  channel: ChannelId
  /** The id of the scheduled send for `failed`. */
  message_id: number
  /** The time of the message. */
  ts: Seconds
  /** The time of the item: of the newest reaction, or of the message. */
  item_ts: Seconds
  activity_id: number | null
  read: boolean
}

/** A listed message that is not deleted by now. */
export interface Text {
  id: number
  sender: string
  content: string
  is_file: boolean
  root_id: number | null
}

/**
 * How the items of a kind are read; one file per kind. The selects are parts of one statement, whose parameters are
 * named below; each is cut at the size of the page.
 */
export interface ItemKind {
  /**
   * Items in a row of `readable` (viewer, channel, history_start, joined, last_read).
   * Columns: kind, message_id, thread_id, ts, item_ts, activity_id, read.
   */
  inChannel?: string[]
  /**
   * Items of the person `viewer.name`, whatever the channel: that of an old message may have no change of the last 90
   * days. Columns: kind, channel, message_id, ts, item_ts, activity_id, read.
   */
  ofViewer?: string
  /** False: the item shows no message. Others are left out if the viewer may not read their message at present. */
  isMessage: boolean
  /** Reads what the items show besides the texts of their messages. The function returns undefined for what is gone. */
  items(db: Db, candidates: Candidate[], texts: ReadonlyMap<number, Text>): Promise<ItemOf>
}

export type ItemOf = (candidate: Candidate) => InboxItem | undefined

/** Names of the parameters that follow those of READABLE_CHANNELS. */
export const SINCE = '$3::double precision'
export const EVERYONE_PARAMETER = '$4'

/** An item that shows its message, by default as done by its sender. */
export function messageItem(
  { kind, channel, message_id, item_ts, activity_id, read }: Candidate,
  { sender, content, is_file, root_id }: Text,
  { actors, count }: Pick<InboxItem, 'actors' | 'count'> = { actors: [sender], count: 1 },
): InboxItem {
  const id = kind === 'mention' ? `m${message_id}` : String(activity_id)
  const shown = { content, ...(is_file && { is_file }) }
  return { id, kind, channel, message_id, root_id, actors, count, ...shown, ts: item_ts, read }
}

/** Items of messages that show their sender. */
export const itemsOfSenders: ItemKind['items'] = async (_db, _candidates, texts) => candidate => {
  const text = texts.get(candidate.message_id)
  return text && messageItem(candidate, text)
}
