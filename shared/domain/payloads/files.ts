/** Files of a channel, and uploads in parts. */
import type { Seconds } from '../units.ts'
import type { MessageFile } from './messages.ts'
import type { Page } from './page.ts'

/** An item of GET /channel_files/<channel>. */
export interface ChannelFilePayload extends MessageFile {
  message_id: number
  /** The stored name, for /files. */
  name: string
  original_name: string
  sender: string
  ts: Seconds
}

/** GET /channel_files/<channel>. */
export interface ChannelFilesPayload extends Page<ChannelFilePayload> {
  /** On the first page without filters: the number of files, at most 1,000. */
  total?: number
}

/** PUT and PATCH /uploads/<id>. */
export interface UploadPayload {
  /** Bytes that the server has. */
  offset: number
  size: number
  /** The largest part. */
  part_bytes: number
}
