/** Files of a channel, and uploads in parts. */
import * as v from 'valibot'
import { MessageFile } from './messages.ts'
import { pageOf } from './page.ts'
import { Seconds, wholeNumber } from './values.ts'

/** An item of GET /channel_files/<channel>. */
export const ChannelFilePayload = v.strictObject({
  ...MessageFile.entries,
  message_id: wholeNumber,
  /** The stored name, for /files. */
  name: v.string(),
  original_name: v.string(),
  sender: v.string(),
  ts: Seconds,
})
export type ChannelFilePayload = v.InferOutput<typeof ChannelFilePayload>

/** GET /channel_files/<channel>. */
export const ChannelFilesPayload = v.strictObject({
  ...pageOf(ChannelFilePayload).entries,
  /** On the first page without filters: the number of files, at most 1,000. */
  total: v.exactOptional(wholeNumber),
})
export type ChannelFilesPayload = v.InferOutput<typeof ChannelFilesPayload>

/** PUT and PATCH /uploads/<id>. */
export const UploadPayload = v.strictObject({
  /** Bytes that the server has. */
  offset: wholeNumber,
  size: wholeNumber,
  /** The largest part. */
  part_bytes: wholeNumber,
})
export type UploadPayload = v.InferOutput<typeof UploadPayload>
