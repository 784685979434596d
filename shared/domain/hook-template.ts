/** Texts with `{{a.b.0.c}}`, filled in from the body of a post (interface 19.4). Pure. */

/**
 * A missing value is empty; objects and lists are JSON. Values mention nobody and end no code. `longest`: the characters of all
 * values together, since a short template may repeat a long one; the rest is cut.
 */
export function filledIn(template: string, body: unknown, longest: number): string {
  let left = longest
  return template.replace(VALUE, (_whole, before: string | undefined, path: string) => {
    const text =
      left > 0
        ? textOf(valueAt(body, path.split('.')))
            .slice(0, left)
            .toWellFormed()
        : ''
    left -= text.length
    const value = text.replace(/[@`~]/g, `$&${APART}`)
    return before === undefined ? value : `${before}${APART}${value}`
  })
}

/** The paths of the places, in their order. */
export const placesIn = (template: string): string[] =>
  Array.from(template.matchAll(VALUE), ([, , path = '']) => path)

/** With what stands before it that a value could complete: a mention or a fence. */
const VALUE = /(@[A-Za-z0-9_-]*|``|~~)?\{\{\s*([^{}\s]{1,200})\s*\}\}/g
/** An invisible character. */
const APART = '\u2060'

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
