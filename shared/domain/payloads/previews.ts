/** Previews of links (interface 2.9). */
import * as v from 'valibot'
import { wholeNumber } from './values.ts'

export const CodePreviewPayload = v.strictObject({
  type: v.literal('code'),
  filename: v.string(),
  /** Path within the repository; outside of one, the name. */
  filepath: v.string(),
  language: v.string(),
  /** The number of the first line of `code`, from 1. */
  first_line_num: wholeNumber,
  /** The lines that the address names, within the file; null when it names none. They may extend past `code`. */
  highlight_start: v.nullable(wholeNumber),
  highlight_end: v.nullable(wholeNumber),
  code: v.string(),
  /** Lines within the part read: 512 KiB at most (interface 4.4). */
  total_lines: wholeNumber,
  url: v.string(),
})
export type CodePreviewPayload = v.InferOutput<typeof CodePreviewPayload>

export const OgPreviewPayload = v.strictObject({
  type: v.literal('og'),
  title: v.string(),
  /** Empty when there is none. */
  description: v.string(),
  /** The picture's address on this server; empty when there is none. */
  image: v.string(),
  /** The host of the page after redirects. */
  domain: v.string(),
  /** The requested address. */
  url: v.string(),
})
export type OgPreviewPayload = v.InferOutput<typeof OgPreviewPayload>

/** `{}`: there is nothing to show. */
export const NoPreview = v.record(v.string(), v.never())

/** Interface 2.9: the preview below a message with a link. Untrusted: it comes from third-party pages. */
export const LinkPreviewPayload = v.union([CodePreviewPayload, OgPreviewPayload, NoPreview])
export type LinkPreviewPayload = v.InferOutput<typeof LinkPreviewPayload>
