const MARK = '> '

/** The text of a forwarded message: a comment, an empty line, and the quoted text (interface 11.1). */
export function forwardedText(comment: string, quoted: string): string {
  const quote = quoted
    .split('\n')
    .map(line => MARK + line)
    .join('\n')
  return comment === '' ? quote : `${comment}\n\n${quote}`
}

/** The two parts of such a text. The comment may have quotes of its own. */
export function forwardedParts(content: string): { comment: string; quoted: string } {
  const lines = content.split('\n')
  let first = lines.length
  while (first > 0 && lines[first - 1]!.startsWith(MARK)) first--
  return {
    comment: lines.slice(0, first).join('\n').trimEnd(),
    quoted: lines
      .slice(first)
      .map(line => line.slice(MARK.length))
      .join('\n'),
  }
}
