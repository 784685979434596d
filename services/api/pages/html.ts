/** HTML that is safe to send: created by `html`, never by concatenation. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString() {
    return this.text
  }
}

type Value = Html | string | number | undefined | false | readonly Value[]

/** Escapes every value except other `html`; joins lists; false and undefined are empty. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, i) => text + textOf(values[i - 1]) + part))
}

/** For our own files that contain HTML. */
export const raw = (text: string) => new Html(text)

function textOf(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(textOf).join('')
  return escaped(String(value))
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, character => ENTITIES[character]!)
