/** Previews of links (interface 2.9). */

/** Interface 2.9: the preview below a message with a link. Untrusted: it comes from third-party pages. */
export type LinkPreviewPayload = CodePreviewPayload | OgPreviewPayload | Record<string, never>

export interface CodePreviewPayload {
  type: 'code'
  filename: string
  /** Path within the repository; outside of one, the name. */
  filepath: string
  language: string
  /** The number of the first line of `code`, from 1. */
  first_line_num: number
  /** The lines that the address names, within the file; null when it names none. They may extend past `code`. */
  highlight_start: number | null
  highlight_end: number | null
  code: string
  /** Lines within the part read: 512 KiB at most (interface 4.4). */
  total_lines: number
  url: string
}

export interface OgPreviewPayload {
  type: 'og'
  title: string
  /** Empty when there is none. */
  description: string
  /** The picture's address on this server; empty when there is none. */
  image: string
  /** The host of the page after redirects. */
  domain: string
  /** The requested address. */
  url: string
}
