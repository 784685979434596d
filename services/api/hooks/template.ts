/** Texts with `{{a.b.0.c}}`, filled in from the body of a post (interface 19.4). Pure. */

/** A missing value is empty; objects and lists are JSON. Values mention nobody and end no code. */
export const filledIn = (template: string, body: unknown): string =>
  template.replace(/\{\{\s*([^{}\s]{1,200})\s*\}\}/g, (_, path: string) =>
    escaped(valueAt(body, path.split('.'))),
  )

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function escaped(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  // Invisible characters between the sign and what follows.
  return text.replaceAll('@', '@\u2060').replaceAll('`', '`\u2060')
}
