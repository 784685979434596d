/** Where a page may name its encoding: the standard says within 1,024 bytes, but browsers start anew for a later one, too. */
const PRESCAN_BYTES = 4_096

/**
 * The text of a page, in the order of the HTML standard: its byte order mark, the header, what it says of itself. A label
 * that nobody knows counts as none, and then it is UTF-8; what is not, becomes a replacement character.
 */
export function pageText(body: Uint8Array, declared: string | undefined): string {
  const decoder =
    decoderOf(markedEncoding(body)) ??
    decoderOf(declared) ??
    decoderOf(writtenEncoding(body)) ??
    new TextDecoder()
  return decoder.decode(body)
}

/** The labels are those of the Encoding standard (Shift_JIS, EUC-JP, GBK, windows-1251, …): the decoder knows them. */
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

/** <meta charset=…> and <meta http-equiv=content-type content="…; charset=…">: to find either, the word is enough. */
function writtenEncoding(body: Uint8Array) {
  const beginning = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, PRESCAN_BYTES))
    .toString('latin1')
    .replace(/<!--.*?(?:-->|$)/gs, '')
  for (const [tag] of beginning.matchAll(/<meta[\s/][^>]*/gi)) {
    const label = /charset\s*=\s*["']?\s*([\w.:+-]{1,40})/i.exec(tag)?.[1]?.toLowerCase()
    if (label === undefined) continue
    // Whoever can read this sentence is not reading UTF-16.
    if (label.startsWith('utf-16')) return 'utf-8'
    return label === 'x-user-defined' ? 'windows-1252' : label
  }
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:+-]{1,40})/i.exec(beginning)?.[1]
}
