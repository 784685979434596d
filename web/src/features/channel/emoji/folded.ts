/** A text in the form in which names and keywords are compared: without case, accents and underscores. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[\s_:]+/g, ' ')
    .trim()
}
