/** Bytes searched for an encoding label: the standard says 1,024, but browsers also restart for a later one. */
const PRESCAN_BYTES = 262_144

/**
 * Decodes a page by, in the order of the HTML standard, byte order mark, header, <meta>. Ignores unknown labels.
 * Defaults to UTF-8, with replacement characters for invalid bytes.
 */
export function pageText(body: Uint8Array, declared: string | undefined): string {
  const decoder =
    decoderOf(markedEncoding(body)) ??
    decoderOf(declared) ??
    decoderOf(writtenEncoding(body)) ??
    new TextDecoder()
  return decoder.decode(body)
}

/** Accepts the labels of the Encoding standard (Shift_JIS, EUC-JP, GBK, windows-1251, …). */
function decoderOf(label: string | undefined) {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim())
  } catch (err) {
    if (err instanceof RangeError) return undefined
    throw err
  }
}

function markedEncoding([first, second, third]: Uint8Array) {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return undefined
}

/** Finds <meta charset=…> and <meta http-equiv=content-type content="…; charset=…"> by the word `charset`. */
function writtenEncoding(body: Uint8Array) {
  const beginning = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN_BYTES))
    .toString('latin1')
    .replace(/<!--.*?(?:-->|$)|<script[\s>].*?(?:<\/script|$)/gis, '')
  for (const [tag] of beginning.matchAll(/<meta[\s/][^>]*/gi)) {
    const label = /charset\s*=\s*["']?\s*([\w.:+-]{1,40})/i.exec(tag)?.[1]?.toLowerCase()
    if (label === undefined) continue
    // A label found in single-byte text cannot be UTF-16.
    if (label.startsWith('utf-16')) return 'utf-8'
    return label === 'x-user-defined' ? 'windows-1252' : label
  }
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:+-]{1,40})/i.exec(beginning)?.[1]
}
